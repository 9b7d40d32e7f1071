import { CarrierError, isRow, unreadable, yes } from 'serai/carrier'
import { ALREADY_VALIDATED, call } from './api.ts'
import type { Account } from './fields.ts'

/** Validates a draft, which makes it a real order. Has no effect on a validated one. */
export async function validate(account: Account, trackingId: string): Promise<void> {
  const query = { tracking: trackingId, ask_collection: account.context.settings.askCollection ? 1 : 0 }
  try {
    const answer = await call(account, 'valid/order', { method: 'POST', query })
    // Only an explicit success counts: a draft never ships, and a repeated request answers that it is already validated.
    if (!isRow(answer) || !(yes(answer.success) || Object.values(answer).includes('success')))
      throw unreadable(account.company.label, 'no word of the validation')
  } catch (error) {
    if (!isAlreadyValidated(error)) throw error
  }
}

const isRefused = (error: unknown): error is CarrierError => error instanceof CarrierError && error.reason === 'refused'
const isAlreadyValidated = (error: unknown) => isRefused(error) && error.upstream.code === ALREADY_VALIDATED

/**
 * Validates an order that was just created. When the company refuses, deletes the draft and throws the refusal; when the result is unknown,
 * throws `unavailable`, so that the lookup resumes later.
 */
export async function ship(account: Account, trackingId: string): Promise<void> {
  if (!account.context.settings.validate) return
  try {
    await validate(account, trackingId)
  } catch (error) {
    if (!isRefused(error)) throw unknownOutcome(account, trackingId, error)
    if (await deleteDraft(account, trackingId)) throw error
  }
}

/** Deletes the draft. Returns true when it is gone, false when it is a real order. */
async function deleteDraft(account: Account, trackingId: string): Promise<boolean> {
  try {
    await cancel(account, trackingId)
    return true
  } catch (error) {
    if (isAlreadyValidated(error)) return false
    throw unknownOutcome(account, trackingId, error)
  }
}

/** Validates a draft that the lookup found. Never deletes it, because another user may have validated it. */
export async function validateFound(account: Account, trackingId: string): Promise<void> {
  await validate(account, trackingId).catch((error: unknown) => {
    throw unknownOutcome(account, trackingId, error)
  })
}

/** Builds an error for an unknown outcome. Never `refused` or `rate_limited`, which would mean that nothing was created. */
function unknownOutcome({ company: { label } }: Account, trackingId: string, error: unknown): CarrierError {
  const { message, upstream } = error instanceof CarrierError ? error : { message: 'It did not answer.', upstream: {} }
  const advice = 'It is looked up again; to end the waiting, validate or delete it in the panel.'
  return new CarrierError(
    'unavailable',
    `${label} has the order as ${trackingId} but did not validate it. ${message} ${advice}`,
    upstream,
    {
      cause: error,
    },
  )
}

/** Deletes a draft; other orders cannot be deleted. Older companies answer `{ delete: "success" }` or `{ delete: "fail" }`. */
export async function cancel(account: Account, trackingId: string): Promise<void> {
  const { label } = account.company
  const answer = await call(account, 'delete/order', { method: 'DELETE', query: { tracking: trackingId } })
  if (isRow(answer) && (yes(answer.success) || answer.delete === 'success')) return
  if (!isRow(answer) || answer.delete !== 'fail') throw unreadable(label, `nothing on the deletion of ${trackingId}`)
  throw new CarrierError('refused', `${label} did not delete it: it deletes only orders that were not validated yet.`, {
    code: 'delete_failed',
  })
}
