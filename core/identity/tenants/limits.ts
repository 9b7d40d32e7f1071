import { ApiError } from '../../http/errors/errors.ts'
import type { Limits, LimitsChange } from './tenants.model.ts'

/** What tenants may have that no limit of their own says otherwise for: the process's settings, said once at start. */
let defaults: Limits = { maxProjects: 200, maxKeysPerProject: 100, maxPeople: 100, requestsPerMinute: null }

export function letTenantsHave({ requestsPerMinute, ...settings }: { [N in keyof Limits]: number }) {
  defaults = { ...settings, requestsPerMinute: requestsPerMinute === 0 ? null : requestsPerMinute }
}

/** Those of one tenant, from what was said of it. */
export const limitsOf = (own: LimitsChange): Limits => ({
  ...defaults,
  ...(Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null)) as Partial<Limits>),
})

/** Throws `limit_reached` where there are as many already. */
export function assertRoom(limit: number, count: number, things: string): void {
  if (count >= limit)
    throw new ApiError(
      'limit_reached',
      `There are ${count} ${things}, which is as many as this tenant may have. Remove one, or ask for more.`,
    )
}
