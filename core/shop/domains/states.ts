export const domainStates = ['pending', 'verified', 'live', 'failing', 'failed'] as const
export type DomainState = (typeof domainStates)[number]

/** What the DNS says of a domain: nothing of ours, that its owner wants it here, or that it leads here too. */
export type Finding = 'nothing' | 'proven' | 'leadsHere'

interface Rule {
  /** Where it goes from here. */
  readonly next: Readonly<Record<Finding, DomainState>>
  /** After so many days in this state it is given up. Null: never. */
  readonly patienceDays: number | null
  /** Minutes until it is looked at again, at first and at most: twice as many each time. Null: not by itself. */
  readonly againMinutes: readonly [first: number, most: number] | null
  /** Whether it is the store's, so that a certificate may be had for it. */
  readonly isHeld: boolean
}

/** A proof that was seen once stands for as long as the domain leads here: the record may be taken away then. */
export const states: Readonly<Record<DomainState, Rule>> = {
  pending: { next: { nothing: 'pending', proven: 'verified', leadsHere: 'live' }, patienceDays: 7, againMinutes: [1, 60], isHeld: false },
  verified: { next: { nothing: 'verified', proven: 'verified', leadsHere: 'live' }, patienceDays: 30, againMinutes: [1, 60], isHeld: true },
  live: { next: { nothing: 'failing', proven: 'failing', leadsHere: 'live' }, patienceDays: null, againMinutes: [720, 720], isHeld: true },
  failing: { next: { nothing: 'failing', proven: 'failing', leadsHere: 'live' }, patienceDays: 7, againMinutes: [10, 60], isHeld: true },
  failed: { next: { nothing: 'failed', proven: 'verified', leadsHere: 'live' }, patienceDays: null, againMinutes: null, isHeld: false },
}

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

/** The state after a look, `since` being when it came into the present one. */
export function nextState(state: DomainState, finding: Finding, since: number, now = Date.now()): DomainState {
  const { next, patienceDays } = states[state]
  const to = next[finding]
  return to === state && patienceDays !== null && now - since > patienceDays * DAY_MS ? 'failed' : to
}

/** When it is looked at again, after so many looks in its state; null where only somebody's asking does that. */
export function nextLook(state: DomainState, looks: number, now = Date.now()): Date | null {
  const { againMinutes } = states[state]
  if (!againMinutes) return null
  const [first, most] = againMinutes
  return new Date(now + Math.min(most, first * 2 ** Math.min(looks, 20)) * MINUTE_MS)
}
