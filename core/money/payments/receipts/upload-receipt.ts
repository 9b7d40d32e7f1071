import type { Context } from '../../../context.ts'
import { eraseByIds } from '../../../data/personal-data/personal-data.ts'
import { storeIdOf } from '../../../data/project-ids.ts'
import { transaction } from '../../../data/sql.ts'
import { HOUR_MS } from '../../../lib/durations.ts'
import { DomainError, notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { addFile, assertRoom, deleteFileWithBytes, newFileId } from '../../../platform/files/files.ts'
import { keyOf } from '../../../platform/files/object-store.ts'
import { validateFile } from '../../../platform/files/validate-file.ts'
import { readUploadForm } from '../../../shop/uploads/read-upload-form.ts'
import { limitUploads } from '../../../shop/uploads/store-upload.ts'
import { findManualGateway, reportSettlement } from '../decide-payment.ts'
import { applyGatewayEvent } from '../events/apply-gateway-event.ts'
import { lockPaymentWithPayable } from '../lock-payment.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { PayableKind, PaymentKey, PaymentRef, PaymentRow } from '../payments.model.ts'
import { findPaymentOfKind, lockPayment, updatePayment } from '../payments.queries.ts'
import { isUnderWay } from '../statuses.ts'
import { type PaymentProof, PROOF_BYTES_MAX, PROOFS_AN_HOUR, PROOFS_MAX } from './proofs.model.ts'
import { deleteProofsOfOrders, insertProof, listProofs } from './proofs.queries.ts'

/** Time that a receipt waits for review. */
const REVIEW_MS = 30 * 24 * HOUR_MS

/**
 * Finds a payment that accepts receipts. Throws `not_found` if it does not exist, or if its gateway verifies payments itself or is switched
 * off.
 */
export async function findReceiptPayment(context: Context, kind: PayableKind, id: string): Promise<PaymentRow> {
  const payment = await findPaymentOfKind(context.sql, kind, id)
  const exists = payment && (await context.payables.of(kind).exists(context.sql, payment))
  if (!exists || !(await findManualGateway(context, payment))?.row.enabled) throw notFound('The payment')
  return payment
}

/** Returns whether a receipt can still change the payment. A rejected receipt may be followed by another. */
export const canUploadReceipt = ({ status }: Pick<PaymentRow, 'status'>): boolean => isUnderWay(status) || status === 'failed'

/**
 * Stores a receipt that anyone with the payment's link can upload; the payment then waits for review. Throws `not_found`,
 * `invalid_transition`, `limit_reached`, `rate_limited`, and errors of invalid files.
 */
export async function uploadReceipt(
  context: Context,
  kind: PayableKind,
  id: string,
  request: Request,
  address: string,
): Promise<PaymentRow> {
  const payment = await findReceiptPayment(context, kind, id)
  assertAcceptsReceipt(payment, (await listProofs(context.sql, payment)).length)
  await assertRateLimit(context, networkOf(address))
  // Uses its own upload limit, so that public uploads never block the store's members.
  const fileId = await limitUploads(`receipts of ${storeIdOf(payment.projectId)}`, () => storeReceipt(context, payment, request))
  const updated = await recordReceipt(context, payment, fileId).catch(async (error) => {
    await transaction(context.sql, (tx) => deleteFileWithBytes(tx, { projectId: payment.projectId, id: fileId })).catch(() => {})
    throw error
  })
  const connection = await findManualGateway(context, payment)
  const { externalId } = updated
  if (connection && externalId !== null)
    await reportSettlement(context, connection, { externalId, status: 'processing' }).catch((error) =>
      context.log.warn({ err: error, paymentId: id }, 'a receipt could not be reported to the gateway'),
    )
  return updated
}

function assertAcceptsReceipt(payment: PaymentRow, proofs: number): void {
  if (!canUploadReceipt(payment)) throw paymentErrors.noReceiptsExpected({ status: payment.status })
  if (proofs >= PROOFS_MAX) throw paymentErrors.tooManyReceipts({ proofsMax: PROOFS_MAX })
}

async function assertRateLimit({ shared }: Context, network: string): Promise<void> {
  const { count, resetMs } = await shared.countHit(`proofs:${network}`, HOUR_MS)
  if (count <= PROOFS_AN_HOUR) return
  const wait = Math.ceil(resetMs / 1000)
  throw paymentErrors.tooManyReceiptsAnHour(
    { proofsAnHour: PROOFS_AN_HOUR, wait },
    {
      retryAfterSeconds: wait,
    },
  )
}

/** Examines the upload and stores it among the store's files. Returns the file's id. */
async function storeReceipt(context: Context, { projectId }: PaymentRow, request: Request): Promise<string> {
  const storeId = storeIdOf(projectId)
  const owner = { storeId, userId: null }
  await assertRoom(context, owner, 0)
  const { bytes, name } = await readUploadForm(request)
  if (bytes.length > PROOF_BYTES_MAX) throw paymentErrors.receiptTooLarge({ proofBytesMax: PROOF_BYTES_MAX })
  const { bytes: examined, contentType, width, height, hash } = await validateFile(bytes, name, storeId)
  if (contentType === 'text/csv') throw paymentErrors.receiptTypeUnsupported()
  const id = newFileId()
  const key = keyOf(storeId, id)
  await context.files.storage.put(key, examined, contentType)
  const file = { id, key, name, contentType, bytes: examined.length, width, height, hash }
  await transaction(context.sql, (tx) => addFile(context, tx, owner, file)).catch(async (error) => {
    if (error instanceof DomainError) await context.files.deleteBytes(key).catch(() => {})
    throw error
  })
  return id
}

/** Records the receipt under the lock of the payment, which may have changed meanwhile. The payment then waits for review. */
const recordReceipt = (context: Context, ref: PaymentRef, fileId: string): Promise<PaymentRow> =>
  transaction(context.sql, async (tx) => {
    const { payable, locked, payment } = await lockPaymentWithPayable(context, tx, ref)
    const { id } = payment
    if (!(await payable.exists(tx, payment))) throw notFound('The payment')
    assertAcceptsReceipt(payment, (await listProofs(tx, payment)).length)
    await insertProof(tx, { projectId: payment.projectId, id: newId('prf'), fileId, paymentId: id })
    await updatePayment(tx, payment, { expiresAt: new Date(Date.now() + REVIEW_MS).toISOString(), message: null })
    await applyGatewayEvent(context, tx, payment, { paymentId: id, status: 'processing' })
    const waiting = await lockPayment(tx, payment)
    await locked.onReceipt(payment, waiting)
    return waiting
  })

/** Returns the receipts of a payment, newest first, with their addresses. */
export const listReceipts = async ({ sql, config }: Context, payment: PaymentKey): Promise<PaymentProof[]> =>
  (await listProofs(sql, payment)).map(({ id, fileId, createdAt }) => ({
    id,
    fileId,
    url: `${config.publicUrl ?? ''}/v1/files/${fileId}/content`,
    createdAt,
  }))

/** Erases receipts of orders with their files, because a picture cannot be redacted. Payments and amounts remain. */
export const proofPersonalData = eraseByIds('orderIds', 'payment_proofs', async (tx, orderIds, { projectId }) => {
  for (const { fileId } of await deleteProofsOfOrders(tx, projectId, orderIds)) await deleteFileWithBytes(tx, { projectId, id: fileId })
})
