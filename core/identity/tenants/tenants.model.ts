import { type Static, Type as T } from '@sinclair/typebox'
import type { ListQuery } from '../../http/resource/list.ts'
import { defineList } from '../../http/resource/list.ts'
import { exact, Id, Nullable, named, oneField, oneOf, stated, Text, Timestamp } from '../../http/schema.ts'

/** Roles in a tenant, in ascending order: each includes the rights of those before it. */
export const tenantRoles = ['member', 'admin', 'owner'] as const
/** Role in a tenant. */
export type TenantRole = (typeof tenantRoles)[number]

/** Number of days in which the deletion of a tenant can be cancelled. */
export const DELETION_DELAY_DAYS = 30

const Role = oneOf(tenantRoles)

const limit = (description: string, maximum = 100_000) => T.Integer({ minimum: 1, maximum, description })
const limits = {
  maxProjects: limit('projects'),
  maxKeysPerProject: limit('valid API keys of one project'),
  maxPeople: limit('people, including the owner'),
  requestsPerMinute: limit('requests per minute of all its API keys and apps together', 10_000_000),
}

/** Limits of a tenant. */
export const TenantLimits = named('TenantLimits', T.Object({ ...limits, requestsPerMinute: Nullable(limits.requestsPerMinute) }))
/** Type of {@link TenantLimits}. */
export type TenantLimits = Static<typeof TenantLimits>

const LimitsChangeBody = named(
  'TenantLimitsChange',
  exact(
    {
      maxProjects: T.Optional(Nullable(limits.maxProjects)),
      maxKeysPerProject: T.Optional(Nullable(limits.maxKeysPerProject)),
      maxPeople: T.Optional(Nullable(limits.maxPeople)),
      requestsPerMinute: T.Optional(Nullable(limits.requestsPerMinute)),
    },
    { minProperties: 1, description: 'null restores the default of the platform. Only platform administrators can change limits.' },
  ),
)
/** Changed limits of a tenant; null restores the default. */
export type TenantLimitsChange = Static<typeof LimitsChangeBody>

/** Member of a tenant as the API shows it. */
export const TenantMember = named(
  'TenantPerson',
  T.Object({ userId: Id, name: T.String(), email: T.String(), role: Role, since: Timestamp }),
)
/** Type of {@link TenantMember}. */
export type TenantMember = Static<typeof TenantMember>

/** Tenant as the API shows it in lists. */
export const Tenant = named(
  'Tenant',
  T.Object({
    id: T.Integer(),
    name: T.String(),
    state: oneOf(['active', 'deleting']),
    deletesAt: Nullable(
      T.String({ format: 'date-time', description: 'time at which all its data is removed; until then the deletion can be cancelled' }),
    ),
    role: Nullable(Role),
    projects: T.Integer({ description: 'number of projects; GET /v1/projects?filter[tenantId]= lists them' }),
    limits: TenantLimits,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link Tenant}. */
export type Tenant = Static<typeof Tenant>

/** Tenant with its members. */
export const TenantDetail = named(
  'TenantInFull',
  T.Object({ ...Tenant.properties, people: T.Array(TenantMember, { description: 'the owner first' }) }),
)
/** Type of {@link TenantDetail}. */
export type TenantDetail = Static<typeof TenantDetail>

const Name = Text(120, 1)
/** Body of the request that creates a tenant. */
export const NewTenant = named('NewTenant', exact({ name: Name }))
/** Type of {@link NewTenant}. */
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
/** Member in the body of a change, named by e-mail address or id. */
export type NamedMember = Static<typeof Named>

/** Body of the request that changes a tenant. */
export const TenantChange = named(
  'TenantChange',
  exact(
    {
      name: T.Optional(Name),
      people: T.Optional(
        T.Array(Named, {
          minItems: 1,
          maxItems: 1000,
          description: 'all members, exactly one of them as owner; members who are left out are removed',
        }),
      ),
      limits: T.Optional(LimitsChangeBody),
      deleting: T.Optional(T.Literal(false, { description: 'false cancels the deletion' })),
    },
    { minProperties: 1 },
  ),
)
/** Type of {@link TenantChange}. */
export type TenantChange = Static<typeof TenantChange>

/** Id of a tenant in a path. Other texts than numbers match no tenant. */
export const TenantId = T.String({ pattern: '^[1-9][0-9]{0,8}$' })

/** Sorting, filters and search of the list of tenants. */
export const tenantList = defineList({
  sorts: { name: 'name' },
  filters: { state: oneOf(['active', 'deleting']) },
  search: 'part of the name',
})
/** Parsed query of the list of tenants. */
export type TenantListQuery = ListQuery<(typeof tenantList)['filters']>
