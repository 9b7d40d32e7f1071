import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts'
/** States of a domain. */
export const domainStates = ['pending', 'verified', 'live', 'failing', 'failed'] as const
/** One of {@link domainStates}. */
export type DomainState = (typeof domainStates)[number]

/** Finding of a DNS check: no proof, the proof, or a domain that also points here. */
export type DnsFinding = 'nothing' | 'proven' | 'leadsHere'

interface Rule {
  /** Next state by finding. */
  readonly next: Readonly<Record<DnsFinding, DomainState>>
  /** Days in this state after which the domain fails; null for never. */
  readonly givesUpAfterDays: number | null
  /** Minutes until the next check, at first and at most; the interval doubles each time. Null for no automatic check. */
  readonly recheckMinutes: readonly [first: number, most: number] | null
  /** True where the store has proven the host, so that a certificate may be issued for it. */
  readonly isProven: boolean
}

/** Rules of each state. A proof found once counts for as long as the domain points here, so its record may be removed. */
export const domainStateRules: Readonly<Record<DomainState, Rule>> = {
  pending: {
    next: { nothing: 'pending', proven: 'verified', leadsHere: 'live' },
    givesUpAfterDays: 7,
    recheckMinutes: [1, 60],
    isProven: false,
  },
  verified: {
    next: { nothing: 'verified', proven: 'verified', leadsHere: 'live' },
    givesUpAfterDays: 30,
    recheckMinutes: [1, 60],
    isProven: true,
  },
  live: {
    next: { nothing: 'failing', proven: 'failing', leadsHere: 'live' },
    givesUpAfterDays: null,
    recheckMinutes: [720, 720],
    isProven: true,
  },
  failing: {
    next: { nothing: 'failing', proven: 'failing', leadsHere: 'live' },
    givesUpAfterDays: 7,
    recheckMinutes: [10, 60],
    isProven: true,
  },
  failed: {
    next: { nothing: 'failed', proven: 'verified', leadsHere: 'live' },
    givesUpAfterDays: null,
    recheckMinutes: null,
    isProven: false,
  },
}

/** Returns the state after a check. `since` is the time in milliseconds when the domain entered the present state. */
export function nextState(state: DomainState, finding: DnsFinding, since: number, now = Date.now()): DomainState {
  const { next, givesUpAfterDays: patienceDays } = domainStateRules[state]
  const to = next[finding]
  return to === state && patienceDays !== null && now - since > patienceDays * DAY_MS ? 'failed' : to
}

/** Returns the time of the next check, after this number of checks in the state; null where only a request starts one. */
export function nextCheckAt(state: DomainState, looks: number, now = Date.now()): Date | null {
  const { recheckMinutes: againMinutes } = domainStateRules[state]
  if (!againMinutes) return null
  const [first, most] = againMinutes
  return new Date(now + Math.min(most, first * 2 ** Math.min(looks, 20)) * MINUTE_MS)
}
