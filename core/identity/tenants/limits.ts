import { ApiError } from '../../http/errors/errors.ts'
import type { TenantLimits, TenantLimitsChange } from './tenants.model.ts'

/** Limits of tenants without a value of their own. They come from the settings of the process at start. */
let defaults: TenantLimits = { maxProjects: 200, maxKeysPerProject: 100, maxPeople: 100, requestsPerMinute: null }

/** Sets the default limits from the settings. Zero requests per minute means no limit. */
export function setDefaultLimits({ requestsPerMinute, ...settings }: { [N in keyof TenantLimits]: number }) {
  defaults = { ...settings, requestsPerMinute: requestsPerMinute === 0 ? null : requestsPerMinute }
}

/** Combines the own limits of a tenant with the defaults. */
export const limitsOf = (own: TenantLimitsChange): TenantLimits => ({
  ...defaults,
  ...(Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null)) as Partial<TenantLimits>),
})

/** Throws `limit_reached` when `count` has reached the limit. `things` names them in the plural. */
export function assertBelowTenantLimit(limit: number, count: number, things: string): void {
  if (count >= limit)
    throw new ApiError(
      'limit_reached',
      `There are ${count} ${things}, which is the limit of this tenant. Remove one, or ask a platform administrator to raise it.`,
    )
}
