import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { examine } from '../../../platform/files/examine.ts'
import { addFile, assertRoom, newFileId, removeFile } from '../../../platform/files/files.ts'
import { keyOf } from '../../../platform/files/keeping.ts'
import { readUpload } from '../../../shop/uploads/form.ts'
import { asUpload } from '../../../shop/uploads/keep.ts'
import { byHandOf, tellGateway } from '../by-hand.ts'
import type { AtGateway } from '../payments.model.ts'
import { isUnderWay } from '../statuses.ts'
import { type PaymentProof, PROOF_BYTES_MAX, PROOFS_AN_HOUR, PROOFS_MAX } from './proofs.model.ts'
import { insertProof, listProofs, type ProofOf } from './proofs.queries.ts'

const HOUR_MS = 3_600_000
/** So long a receipt waits for a person. */
const LOOKED_AT_MS = 30 * 24 * HOUR_MS

/** Payments of one sort that receipts are sent of: those of orders, or of subscriptions. */
export interface Proven<P extends AtGateway> {
  /** Undefined where there is none, or what it is for was deleted: nobody would look at a receipt. */
  find(context: Context, id: string): Promise<P | undefined>
  /** Held until the transaction ends, after all that is held before it. */
  hold(tx: Tx, payment: P): Promise<P>
  /** From now on it waits for a person, who is told. */
  wait(context: Context, tx: Tx, payment: P, until: string): Promise<P>
  named(payment: P): ProofOf
}

/** A payment whose payer may send a receipt. Throws `not_found` for any other, also where its gateway sees money itself, or is switched off. */
export async function provable<P extends AtGateway>(context: Context, { find }: Proven<P>, id: string): Promise<P> {
  const payment = await find(context, id)
  if (!payment || !(await byHandOf(context, payment))?.row.enabled) throw notFound('The payment')
  return payment
}

/** Whether a receipt still changes anything: one that was refused may be followed by a better one. */
export const takesProof = ({ status }: Pick<AtGateway, 'status'>): boolean => isUnderWay(status) || status === 'failed'

/**
 * Takes the picture of a receipt, from whoever knows the payment's link; the payment then waits for a person. Throws `not_found`,
 * `invalid_transition`, `limit_reached`, `rate_limited`, and what files are refused with.
 */
export async function prove<P extends AtGateway>(
  context: Context,
  sort: Proven<P>,
  id: string,
  request: Request,
  address: string,
): Promise<P> {
  const payment = await provable(context, sort, id)
  assertTakes(payment, (await listProofs(context.sql, id)).length)
  await assertPace(context, networkOf(address))
  // Counted apart: strangers never stand in the way of the store's own people.
  const fileId = await asUpload(`receipts of ${payment.storeId}`, () => keepReceipt(context, payment, request))
  const proven = await note(context, sort, payment, fileId).catch(async (error) => {
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

function assertTakes(payment: AtGateway, proofs: number): void {
  if (!takesProof(payment)) throw new ApiError('invalid_transition', `The payment is ${payment.status}: no receipt changes that.`)
  if (proofs >= PROOFS_MAX)
    throw new ApiError('limit_reached', `At most ${PROOFS_MAX} receipts are taken of a payment. Ask whoever it is paid to.`)
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
async function keepReceipt(context: Context, { storeId }: AtGateway, request: Request): Promise<string> {
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
const note = <P extends AtGateway>(context: Context, sort: Proven<P>, payment: P, fileId: string): Promise<P> =>
  transaction(context.sql, async (tx) => {
    const now = await sort.hold(tx, payment)
    assertTakes(now, (await listProofs(tx, now.id)).length)
    await insertProof(tx, { id: newId('prf'), fileId, ...sort.named(now) })
    return sort.wait(context, tx, now, new Date(Date.now() + LOOKED_AT_MS).toISOString())
  })

/** What the payer of a payment sent, newest first. */
export const proofsOf = async ({ sql, config }: Context, paymentId: string): Promise<PaymentProof[]> =>
  (await listProofs(sql, paymentId)).map(({ id, fileId, createdAt }) => ({
    id,
    fileId,
    url: `${config.publicUrl ?? ''}/v1/files/${fileId}/content`,
    createdAt,
  }))
