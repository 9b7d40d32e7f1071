import { forget, note, noteOn, number, present, text } from 'serai/carrier'
import type { Context } from './fields.ts'

/** Submission that is not finished: its start (ms), and the tracking number if the company gave one. Shortens the lookup. */
export interface PendingSubmission {
  readonly at: number
  readonly trackingId?: string
}

const BEGUN = 'begun'

export async function readSubmission(context: Context, reference: string): Promise<PendingSubmission | undefined> {
  const noted = await noteOn(context, BEGUN, reference)
  return noted && { at: number(noted.at) ?? 0, ...present({ trackingId: text(noted.trackingId) }) }
}

export const noteStart = (context: Context, reference: string) => note(context, BEGUN, reference, { at: context.now() })

/** Notes the tracking number of a created order, which may still be a draft. */
export const noteCreated = (context: Context, reference: string, trackingId: string) =>
  note(context, BEGUN, reference, { at: context.now(), trackingId })

export const deleteSubmission = (context: Context, reference: string) => forget(context, BEGUN, reference)
