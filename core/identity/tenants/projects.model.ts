import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { products, scopes } from '../../http/auth/scopes.ts'
import { type Asked, listing } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'

const Products = T.Array(oneOf(products), {
  uniqueItems: true,
  maxItems: products.length,
  description: 'what the project may use, whatever the scopes of its keys',
})

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
export type Project = Static<typeof Project>

export const NewProject = named(
  'NewProject',
  exact({
    name: Text(120, 1),
    products: T.Optional(Products),
    tenantId: T.Optional(
      T.Integer({
        minimum: 1,
        maximum: 999_999_999,
        description: 'one that you own or administer; your oldest own, unless said. Of a key: its own',
      }),
    ),
  }),
)
export type NewProject = Static<typeof NewProject>
export const ProjectChange = named(
  'ProjectChange',
  exact({ name: T.Optional(Text(120, 1)), products: T.Optional(Products) }, { minProperties: 1 }),
)
export type ProjectChange = Static<typeof ProjectChange>

const Scopes = T.Array(oneOf(scopes), { uniqueItems: true, minItems: 1, maxItems: scopes.length })

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
            description: 'whether that person may still make keys here; a key of one who left goes on until it is revoked',
          }),
        }),
        T.Null(),
      ],
      { description: 'null where it is not known' },
    ),
    createdAt: Timestamp,
    expiresAt: Nullable(Timestamp),
    lastUsedAt: Nullable(T.String({ format: 'date-time', description: 'to the minute; null where it was never used' })),
    revokedAt: Nullable(Timestamp),
    state: oneOf(['active', 'expired', 'revoked']),
  }),
)
export type ApiKey = Static<typeof ApiKey>
export const CreatedApiKey = named(
  'CreatedApiKey',
  T.Object({ ...ApiKey.properties, key: T.String({ description: 'sk_…, shown this once' }) }),
)

export const NewApiKey = named('NewApiKey', exact({ name: Text(120, 1), scopes: Scopes, expiresAt: T.Optional(Timestamp) }))
export type NewApiKey = Static<typeof NewApiKey>

export const projectList = listing({
  sorts: { name: 'name' },
  filters: { tenantId: t.Integer({ minimum: 1, maximum: 999_999_999 }) },
  search: 'part of the name',
})
export type AskedProjects = Asked<(typeof projectList)['filters']>

export const keyList = listing({
  sorts: { name: 'k.name' },
  filters: {
    state: oneOf(['active', 'expired', 'revoked'], { description: 'those that were revoked are shown only where they are asked for' }),
  },
  search: 'part of the name',
})
export type AskedKeys = Asked<(typeof keyList)['filters']>
