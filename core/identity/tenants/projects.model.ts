import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { products, scopes } from '../../http/auth/scopes.ts'
import { defineList, type ListQuery } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'

const Products = T.Array(oneOf(products), {
  uniqueItems: true,
  maxItems: products.length,
  description: 'products that the project may use, independent of the scopes of its keys',
})

/** Project as the API shows it. */
export const Project = named(
  'Project',
  T.Object({
    id: Id,
    tenantId: T.Integer(),
    name: T.String(),
    products: Products,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link Project}. */
export type Project = Static<typeof Project>

/** Body of the request that creates a project. */
export const NewProject = named(
  'NewProject',
  exact({
    name: Text(120, 1),
    products: T.Optional(Products),
    tenantId: T.Optional(
      T.Integer({
        minimum: 1,
        maximum: 999_999_999,
        description: 'a tenant that you own or administer; by default your oldest own tenant, or the tenant of the API key',
      }),
    ),
  }),
)
/** Type of {@link NewProject}. */
export type NewProject = Static<typeof NewProject>
/** Body of the request that changes a project. */
export const ProjectChange = named(
  'ProjectChange',
  exact({ name: T.Optional(Text(120, 1)), products: T.Optional(Products) }, { minProperties: 1 }),
)
/** Type of {@link ProjectChange}. */
export type ProjectChange = Static<typeof ProjectChange>

const Scopes = T.Array(oneOf(scopes), { uniqueItems: true, minItems: 1, maxItems: scopes.length })

/** API key as the API shows it, without its text. */
export const ApiKey = named(
  'ApiKey',
  T.Object({
    id: Id,
    projectId: Id,
    name: T.String(),
    scopes: Scopes,
    last4: T.String(),
    createdBy: T.Union(
      [
        T.Object({
          userId: Id,
          name: T.String(),
          isHere: T.Boolean({
            description: 'true when this user may still create keys here; keys of a user who left stay valid until they are revoked',
          }),
        }),
        T.Null(),
      ],
      { description: 'null when unknown' },
    ),
    createdAt: Timestamp,
    expiresAt: Nullable(Timestamp),
    lastUsedAt: Nullable(T.String({ format: 'date-time', description: 'accurate to a minute; null when the key was never used' })),
    revokedAt: Nullable(Timestamp),
    state: oneOf(['active', 'expired', 'revoked']),
  }),
)
/** Type of {@link ApiKey}. */
export type ApiKey = Static<typeof ApiKey>
/** New API key with its text. */
export const CreatedApiKey = named(
  'CreatedApiKey',
  T.Object({ ...ApiKey.properties, key: T.String({ description: 'sk_…, shown only once' }) }),
)

/** Body of the request that creates an API key. */
export const NewApiKey = named('NewApiKey', exact({ name: Text(120, 1), scopes: Scopes, expiresAt: T.Optional(Timestamp) }))
/** Type of {@link NewApiKey}. */
export type NewApiKey = Static<typeof NewApiKey>

/** Sorting, filters and search of the list of projects. */
export const projectList = defineList({
  sorts: { name: 'name' },
  filters: { tenantId: t.Integer({ minimum: 1, maximum: 999_999_999 }) },
  search: 'part of the name',
})
/** Parsed query of the list of projects. */
export type ProjectListQuery = ListQuery<(typeof projectList)['filters']>

/** Sorting, filters and search of the list of API keys. */
export const keyList = defineList({
  sorts: { name: 'k.name' },
  filters: {
    state: oneOf(['active', 'expired', 'revoked'], { description: 'revoked keys are listed only with the filter revoked' }),
  },
  search: 'part of the name',
})
/** Parsed query of the list of API keys. */
export type KeyListQuery = ListQuery<(typeof keyList)['filters']>
