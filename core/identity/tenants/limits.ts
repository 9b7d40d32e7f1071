import type { Config } from '../../config.ts'
import { tenantErrors } from './tenants.errors.ts'
import type { TenantLimits, TenantLimitsChange } from './tenants.model.ts'

/** Default limits of tenants, from the settings of the process. */
export interface LimitDefaults {
  readonly config: Pick<Config, 'tenantLimits'>
}

/** Combines the own limits of a tenant with the defaults. Zero requests per minute in the settings mean no limit. */
export const limitsOf = ({ config: { tenantLimits } }: LimitDefaults, own: TenantLimitsChange): TenantLimits => ({
  ...tenantLimits,
  requestsPerMinute: tenantLimits.requestsPerMinute === 0 ? null : tenantLimits.requestsPerMinute,
  ...(Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null)) as Partial<TenantLimits>),
})

/** Throws `limit_reached` when `count` has reached the limit. `things` names them in the plural. */
export function assertBelowTenantLimit(limit: number, count: number, things: string): void {
  if (count >= limit) throw tenantErrors.limitReached({ count, things })
}
