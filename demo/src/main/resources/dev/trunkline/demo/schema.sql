-- On each shard: all tenants, and the users and orders of those tenants whose root hashes to it.
CREATE TABLE tenants (
    id               varchar PRIMARY KEY,
    parent_tenant_id varchar REFERENCES tenants,
    name             varchar NOT NULL
);

CREATE TABLE users (
    tenant_id varchar NOT NULL REFERENCES tenants,
    id        bigint  NOT NULL,
    email     varchar NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE orders (
    tenant_id varchar NOT NULL REFERENCES tenants,
    id        bigint  NOT NULL,
    user_id   bigint,
    item      varchar NOT NULL,
    cents     bigint  NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
