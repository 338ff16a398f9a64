/** What is counted, and where: plain numbers of one writer each, added up when somebody asks. Depends on nothing. */
@NullMarked
package dev.trunkline.proxy.measure;

import org.jspecify.annotations.NullMarked;
