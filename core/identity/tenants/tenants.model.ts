import { type Static, Type as T } from '@sinclair/typebox'
import type { Asked } from '../../http/resource/list.ts'
import { listing } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, oneField, oneOf, stated, Text, Timestamp } from '../../http/schema.ts'

/** Each may do all that the ones before it may. */
export const tenantRoles = ['member', 'admin', 'owner'] as const
export type TenantRole = (typeof tenantRoles)[number]

/** So long a deletion can be taken back. */
export const KEPT_DAYS = 30

const Role = oneOf(tenantRoles, {
  description: 'member: sees the tenant and its projects; admin: steers them, and says who belongs to it; owner: may delete it too',
})

const limit = (description: string, maximum = 100_000) => T.Integer({ minimum: 1, maximum, description })
const limits = {
  maxProjects: limit('projects'),
  maxKeysPerProject: limit('API keys of one project that work'),
  maxPeople: limit('people, the owner among them'),
  requestsPerMinute: limit('requests a minute of all its API keys and apps together', 10_000_000),
}

export const Limits = named('TenantLimits', T.Object({ ...limits, requestsPerMinute: Nullable(limits.requestsPerMinute) }))
export type Limits = Static<typeof Limits>

const LimitsChange = named(
  'TenantLimitsChange',
  exact(
    {
      maxProjects: T.Optional(Nullable(limits.maxProjects)),
      maxKeysPerProject: T.Optional(Nullable(limits.maxKeysPerProject)),
      maxPeople: T.Optional(Nullable(limits.maxPeople)),
      requestsPerMinute: T.Optional(Nullable(limits.requestsPerMinute)),
    },
    { minProperties: 1, description: 'null: as the platform has it. Only administrators of the platform change limits.' },
  ),
)
export type LimitsChange = Static<typeof LimitsChange>

export const TenantPerson = named(
  'TenantPerson',
  T.Object({ userId: Id, name: T.String(), email: T.String(), role: Role, since: Timestamp }),
)
export type TenantPerson = Static<typeof TenantPerson>

export const Tenant = named(
  'Tenant',
  T.Object({
    id: T.Integer(),
    name: T.String(),
    state: oneOf(['active', 'deleting']),
    deletesAt: Nullable(
      T.String({ format: 'date-time', description: 'when all of it is removed; until then its deletion can be taken back' }),
    ),
    role: Nullable(Role),
    projects: T.Integer({ description: 'how many; GET /v1/projects?filter[tenantId]= lists them' }),
    limits: Limits,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Tenant = Static<typeof Tenant>

export const TenantInFull = named(
  'TenantInFull',
  T.Object({ ...Tenant.properties, people: T.Array(TenantPerson, { description: 'the owner first' }) }),
)
export type TenantInFull = Static<typeof TenantInFull>

const Name = Text(120, 1)
export const NewTenant = named('NewTenant', exact({ name: Name }))
export type NewTenant = Static<typeof NewTenant>

const Named = named(
  'NamedPerson',
  stated(
    exact({
      email: T.Optional(
        T.String({
          format: 'email',
          maxLength: 254,
          description: 'of somebody who has an account, and has confirmed it where the server sends mail',
        }),
      ),
      userId: T.Optional({ ...Id, description: 'instead, of somebody who belongs to the tenant already' }),
      role: Role,
    }),
    oneField('email', 'userId'),
  ),
)
export type NamedPerson = Static<typeof Named>

export const TenantChange = named(
  'TenantChange',
  exact(
    {
      name: T.Optional(Name),
      people: T.Optional(
        T.Array(Named, {
          minItems: 1,
          maxItems: 1000,
          description: 'all who shall belong to it, one of them as its owner; who is left out, leaves',
        }),
      ),
      limits: T.Optional(LimitsChange),
      deleting: T.Optional(T.Literal(false, { description: 'takes its deletion back' })),
    },
    { minProperties: 1 },
  ),
)
export type TenantChange = Static<typeof TenantChange>

/** Ids of tenants are numbers; what is none names nothing. */
export const TenantId = T.String({ pattern: '^[1-9][0-9]{0,8}$' })

export const tenantList = listing({
  sorts: { name: 'name' },
  filters: { state: oneOf(['active', 'deleting']) },
  search: 'part of the name',
})
export type AskedTenants = Asked<(typeof tenantList)['filters']>
