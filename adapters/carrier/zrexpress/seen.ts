import { note, noteOn } from 'serai/carrier'
import type { Context } from './fields.ts'

/** One word of a parcel and since when it holds. */
export interface Step {
  readonly carrierStatus: string
  readonly at: string
  readonly eventId?: string
  readonly reason?: string
}

/** What was last known of a parcel: its state, and the situation beside it. */
export interface Seen {
  readonly state?: Step
  readonly situation?: Step
}

/** Under which these are noted; forgotten once the parcel has come to its end. */
export const SEEN = 'seen'

async function seenOf(context: Context, trackingId: string): Promise<Seen> {
  const { state, situation }: Seen = (await noteOn(context, SEEN, trackingId)) ?? {}
  return { ...(state && { state }), ...(situation && { situation }) }
}

/**
 * A list of parcels tells where each is, not since when. So a word is dated when it is first seen and keeps that date; what a
 * callback told keeps the callback's, and its event id. A situation that outlived its state keeps its older date and moves nothing.
 */
export async function stepsSeen(context: Context, trackingId: string, now: Seen): Promise<Step[]> {
  const before = await seenOf(context, trackingId)
  const seen: Seen = {
    ...(now.state && { state: kept(before.state, now.state) }),
    ...(now.situation && { situation: kept(before.situation, now.situation) }),
  }
  if (JSON.stringify(seen) !== JSON.stringify(before)) await note(context, SEEN, trackingId, { ...seen })
  return inOrder([seen.state, seen.situation].filter((step) => step !== undefined))
}

const kept = (before: Step | undefined, now: Step) => (before?.carrierStatus === now.carrierStatus ? before : now)

/** A callback tells its own time. One that comes late changes nothing here. */
export async function noteStep(context: Context, trackingId: string, told: Seen): Promise<void> {
  const before = await seenOf(context, trackingId)
  const seen = { ...before, ...newer(before, told, 'state'), ...newer(before, told, 'situation') }
  await note(context, SEEN, trackingId, seen)
}

function newer(before: Seen, told: Seen, kind: keyof Seen): Seen {
  const [old, step] = [before[kind], told[kind]]
  return step && !(old && Date.parse(old.at) > Date.parse(step.at)) ? { [kind]: step } : {}
}

/** Oldest first; of the same moment as given. */
export const inOrder = (steps: readonly Step[]): Step[] => steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
