/** States of a domain. */
export const domainStates = ['pending', 'verified', 'live', 'failing', 'failed'] as const
/** One of {@link domainStates}. */
export type DomainState = (typeof domainStates)[number]

/** Finding of a DNS check: no proof, the proof, or a domain that also points here. */
export type Finding = 'nothing' | 'proven' | 'leadsHere'

interface Rule {
  /** Next state by finding. */
  readonly next: Readonly<Record<Finding, DomainState>>
  /** Days in this state after which the domain fails; null for never. */
  readonly patienceDays: number | null
  /** Minutes until the next check, at first and at most; the interval doubles each time. Null for no automatic check. */
  readonly againMinutes: readonly [first: number, most: number] | null
  /** True where the store has proven the host, so that a certificate may be issued for it. */
  readonly isHeld: boolean
}

/** Rules of each state. A proof found once counts for as long as the domain points here, so its record may be removed. */
export const states: Readonly<Record<DomainState, Rule>> = {
  pending: { next: { nothing: 'pending', proven: 'verified', leadsHere: 'live' }, patienceDays: 7, againMinutes: [1, 60], isHeld: false },
  verified: { next: { nothing: 'verified', proven: 'verified', leadsHere: 'live' }, patienceDays: 30, againMinutes: [1, 60], isHeld: true },
  live: { next: { nothing: 'failing', proven: 'failing', leadsHere: 'live' }, patienceDays: null, againMinutes: [720, 720], isHeld: true },
  failing: { next: { nothing: 'failing', proven: 'failing', leadsHere: 'live' }, patienceDays: 7, againMinutes: [10, 60], isHeld: true },
  failed: { next: { nothing: 'failed', proven: 'verified', leadsHere: 'live' }, patienceDays: null, againMinutes: null, isHeld: false },
}

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

/** Returns the state after a check. `since` is the time in milliseconds when the domain entered the present state. */
export function nextState(state: DomainState, finding: Finding, since: number, now = Date.now()): DomainState {
  const { next, patienceDays } = states[state]
  const to = next[finding]
  return to === state && patienceDays !== null && now - since > patienceDays * DAY_MS ? 'failed' : to
}

/** Returns the time of the next check, after this number of checks in the state; null where only a request starts one. */
export function nextLook(state: DomainState, looks: number, now = Date.now()): Date | null {
  const { againMinutes } = states[state]
  if (!againMinutes) return null
  const [first, most] = againMinutes
  return new Date(now + Math.min(most, first * 2 ** Math.min(looks, 20)) * MINUTE_MS)
}
