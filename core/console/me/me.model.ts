import { type Static, Type as T } from '@sinclair/typebox'
import { roles } from '../../http/auth/scopes.ts'
import { Id, Nullable, named, oneOf } from '../../http/schema.ts'
import { User } from '../../identity/auth/auth.model.ts'
import { Tenant } from '../../identity/tenants/tenants.model.ts'
import { Member } from '../../shop/stores/members/members.model.ts'

/** Maximum number of memberships and of tenants in one answer, and the number up to which notifications are counted. */
export const ME_LIMITS = { memberships: 200, tenants: 200, notifications: 100 } as const

const { permissions } = Member.properties
const { id, name, state, role } = Tenant.properties

const MyMembership = T.Object({
  storeId: Id,
  name: T.String(),
  countryCode: T.String(),
  currencyCode: T.String(),
  timeZone: T.String({ description: 'time zone in which the days of the store begin' }),
  role: oneOf(roles),
  permissions,
  plan: T.Object({ code: T.String(), name: T.String() }),
})

/** Signed-in user with everything that decides what a client shows them. */
export const Me = named(
  'Me',
  T.Object({
    user: User,
    isAdmin: T.Boolean({ description: 'true for an administrator of the platform' }),
    actingAs: Nullable(T.Object({ adminId: Id }), {
      description: 'set while an administrator of the platform acts as the user, which ends after 30 minutes',
    }),
    memberships: T.Array(MyMembership, { description: `at most ${ME_LIMITS.memberships}, newest store first` }),
    tenants: T.Array(T.Object({ id, name, state, role }), { description: `at most ${ME_LIMITS.tenants}, newest first` }),
    unreadNotifications: T.Integer({ description: `counted up to ${ME_LIMITS.notifications}` }),
  }),
)
/** Type of {@link Me}. */
export type Me = Static<typeof Me>
