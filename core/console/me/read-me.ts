import type { Context } from '../../context.ts'
import type { Person } from '../../http/auth/principal.ts'
import { findPublicUser } from '../../identity/auth/account.ts'
import { listTenantsOfUser } from '../../identity/tenants/tenants.queries.ts'
import { countUnreadNotifications } from '../../identity/users/users.queries.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { listPlansInForce } from '../../money/billing/subscriptions.queries.ts'
import { listMembershipsOfUser } from '../../shop/stores/stores.queries.ts'
import { timeZoneOf } from '../../shop/stores/time-zone.ts'
import { ME_LIMITS, type Me } from './me.model.ts'

/** Reads the account of a user with their memberships, tenants and unread notifications. Throws `not_found` for a deleted user. */
export async function readMe({ sql }: Pick<Context, 'sql'>, { id, isAdmin, adminId }: Person): Promise<Me> {
  const [user, memberships, tenants, unreadNotifications] = await Promise.all([
    findPublicUser(sql, id),
    readMemberships(sql, id),
    listTenantsOfUser(sql, id, ME_LIMITS.tenants),
    countUnreadNotifications(sql, id, ME_LIMITS.notifications),
  ])
  if (!user) throw notFound('The account')
  return {
    user,
    isAdmin,
    actingAs: adminId === undefined ? null : { adminId },
    memberships,
    tenants: tenants.map(({ deletesAt, ...tenant }) => ({ ...tenant, state: deletesAt === null ? 'active' : 'deleting' })),
    unreadNotifications,
  }
}

async function readMemberships(sql: Context['sql'], userId: string): Promise<Me['memberships']> {
  const stores = await listMembershipsOfUser(sql, userId, ME_LIMITS.memberships)
  const plans = await listPlansInForce(
    sql,
    stores.map((store) => store.id),
  )
  const planOf = new Map(plans.map(({ storeId, ...plan }) => [storeId, plan]))
  return stores.map(({ id, name, countryCode, currencyCode, settings, role, permissions }) => ({
    storeId: id,
    name,
    countryCode,
    currencyCode,
    timeZone: timeZoneOf({ settings, countryCode }),
    role,
    permissions: permissions && [...permissions],
    plan: invariant(planOf.get(id), 'The plan of a store'),
  }))
}
