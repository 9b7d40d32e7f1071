import { note, noteOn } from 'serai/carrier'
import type { Context } from './fields.ts'

/** Status of a parcel, and the time since which it holds. */
export interface Step {
  readonly carrierStatus: string
  readonly at: string
  readonly eventId?: string
  readonly reason?: string
}

/** Last known state of a parcel, and its situation. */
export interface Seen {
  readonly state?: Step
  readonly situation?: Step
}

/** Storage prefix of these notes; deleted at the parcel's end. */
export const SEEN = 'seen'

async function seenOf(context: Context, trackingId: string): Promise<Seen> {
  const { state, situation }: Seen = (await noteOn(context, SEEN, trackingId)) ?? {}
  return { ...(state && { state }), ...(situation && { situation }) }
}

/**
 * Dates the statuses of a list, which has no times. A status keeps the time when it was first seen; one from a callback keeps the
 * callback's time and event id. A situation older than the state keeps its time, and moves nothing.
 */
export async function stepsSeen(context: Context, trackingId: string, now: Seen): Promise<Step[]> {
  const before = await seenOf(context, trackingId)
  const seen: Seen = {
    ...(now.state && { state: earlierOf(before.state, now.state) }),
    ...(now.situation && { situation: earlierOf(before.situation, now.situation) }),
  }
  if (JSON.stringify(seen) !== JSON.stringify(before)) await note(context, SEEN, trackingId, { ...seen })
  return inOrder([seen.state, seen.situation].filter((step) => step !== undefined))
}

const earlierOf = (before: Step | undefined, now: Step) => (before?.carrierStatus === now.carrierStatus ? before : now)

/** Notes the step of a callback with its own time. A late callback changes nothing. */
export async function noteStep(context: Context, trackingId: string, told: Seen): Promise<void> {
  const before = await seenOf(context, trackingId)
  const seen = { ...before, ...newerOf(before, told, 'state'), ...newerOf(before, told, 'situation') }
  await note(context, SEEN, trackingId, seen)
}

function newerOf(before: Seen, told: Seen, kind: keyof Seen): Seen {
  const [old, step] = [before[kind], told[kind]]
  return step && !(old && Date.parse(old.at) > Date.parse(step.at)) ? { [kind]: step } : {}
}

/** Sorts by time, oldest first; steps of the same moment keep their order. */
export const inOrder = (steps: readonly Step[]): Step[] => steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
