import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { networkOf } from '../../lib/addresses.ts'
import { newId } from '../../lib/ids.ts'
import { known } from '../../lib/known.ts'
import { examine } from '../../platform/files/examine.ts'
import { addFile, assertRoom, newFileId, removeFile } from '../../platform/files/files.ts'
import { keyOf } from '../../platform/files/keeping.ts'
import { readUpload } from '../../shop/uploads/form.ts'
import { asUpload } from '../../shop/uploads/keep.ts'
import { holdDeletedToo } from '../orders/hold.ts'
import { findOrderAnywhere } from '../orders/orders.queries.ts'
import { byHandOf, tellGateway } from './by-hand.ts'
import { applyNews } from './news.ts'
import { findPayment, lockPayment, type PaymentRow, updatePayment } from './payments.queries.ts'
import { PROOF_BYTES_MAX, PROOFS_AN_HOUR, PROOFS_MAX } from './proofs.model.ts'
import { insertProof, listProofs } from './proofs.queries.ts'
import { tell } from './settle.ts'
import { isUnderWay } from './statuses.ts'

const HOUR_MS = 3_600_000
/** So long a receipt waits for a person. */
const LOOKED_AT_MS = 30 * 24 * HOUR_MS

/**
 * A payment whose payer may send a receipt. Throws `not_found` for any other, also where its gateway sees money itself, or its order was deleted:
 * nobody would look at it.
 */
export async function provable(context: Context, id: string): Promise<PaymentRow> {
  const payment = await findPayment(context.sql, id)
  if (!payment || !(await byHandOf(context, payment))) throw notFound('The payment')
  if (!(await findOrderAnywhere(context.sql, payment.orderId))) throw notFound('The order')
  return payment
}

/** Whether a receipt still changes anything: one that was refused may be followed by a better one. */
export const takesProof = ({ status }: Pick<PaymentRow, 'status'>): boolean => isUnderWay(status) || status === 'failed'

/**
 * Takes the picture of a receipt, from whoever knows the payment's link; the payment then waits for a person. Throws `not_found`,
 * `invalid_transition`, `limit_reached`, `rate_limited`, and what files are refused with.
 */
export async function prove(context: Context, id: string, request: Request, address: string): Promise<PaymentRow> {
  const payment = await provable(context, id)
  assertTakes(payment, (await listProofs(context.sql, id)).length)
  await assertPace(context, networkOf(address))
  // Counted apart: strangers never stand in the way of the store's own people.
  const fileId = await asUpload(`receipts of ${payment.storeId}`, () => keepReceipt(context, payment, request))
  const proven = await note(context, payment, fileId).catch(async (error) => {
    await transaction(context.sql, (tx) => removeFile(tx, fileId)).catch(() => {})
    throw error
  })
  const connection = await byHandOf(context, payment)
  const { externalId } = proven
  if (connection && externalId !== null)
    await tellGateway(context, connection, { externalId, status: 'processing' }).catch((error) =>
      context.log.warn({ err: error, paymentId: id }, 'a gateway was not told of a receipt'),
    )
  return proven
}

function assertTakes(payment: PaymentRow, proofs: number): void {
  if (!takesProof(payment)) throw new ApiError('invalid_transition', `The payment is ${payment.status}: no receipt changes that.`)
  if (proofs >= PROOFS_MAX) throw new ApiError('limit_reached', `At most ${PROOFS_MAX} receipts are taken of a payment. Ask the store.`)
}

async function assertPace({ shared }: Context, network: string): Promise<void> {
  const { count, resetMs } = await shared.hit(`proofs:${network}`, HOUR_MS)
  if (count <= PROOFS_AN_HOUR) return
  const wait = String(Math.ceil(resetMs / 1000))
  throw new ApiError('rate_limited', `At most ${PROOFS_AN_HOUR} receipts an hour from one network. Wait ${wait} s.`, {
    headers: { 'retry-after': wait },
  })
}

/** Its bytes are looked at, and kept among the files of the store. */
async function keepReceipt(context: Context, { storeId }: PaymentRow, request: Request): Promise<string> {
  const owner = { storeId, userId: null }
  await assertRoom(context, owner, 0)
  const { bytes, name } = await readUpload(request)
  if (bytes.length > PROOF_BYTES_MAX) throw new ApiError('payload_too_large', `A receipt may have at most ${PROOF_BYTES_MAX} bytes.`)
  const { bytes: kept, contentType, width, height, hash } = await examine(bytes, name, storeId)
  if (contentType === 'text/csv') throw new ApiError('unsupported_media_type', 'A receipt is a picture, or a PDF.')
  const id = newFileId()
  const key = keyOf(storeId, id)
  await context.files.keeping.put(key, kept, contentType)
  const file = { id, key, name, contentType, bytes: kept.length, width, height, hash }
  await transaction(context.sql, (tx) => addFile(context, tx, owner, file)).catch(async (error) => {
    if (error instanceof ApiError) await context.files.forget(key).catch(() => {})
    throw error
  })
  return id
}

/** Looked at again under its lock: somebody may have decided meanwhile, or sent as many as are taken. */
const note = ({ sql }: Context, payment: PaymentRow, fileId: string): Promise<PaymentRow> =>
  transaction(sql, async (tx) => {
    const { id } = payment
    await holdDeletedToo(tx, payment)
    const now = known(await lockPayment(tx, id), 'A payment with a receipt')
    assertTakes(now, (await listProofs(tx, id)).length)
    await insertProof(tx, { id: newId('prf'), paymentId: id, fileId })
    await updatePayment(tx, id, { expiresAt: new Date(Date.now() + LOOKED_AT_MS).toISOString() })
    await applyNews(tx, now, { ...(now.externalId !== null && { externalId: now.externalId }), paymentId: id, status: 'processing' })
    const proven = known(await findPayment(tx, id), 'A payment with a receipt')
    await tell(tx, 'payment.proof_received', proven)
    return proven
  })
