import type { Context } from '../../../context.ts'
import type { OperationCall } from '../../../integrations/operations/operation-registry.ts'
import { receiveAtStore } from '../../../integrations/webhook-intake/receive-webhook.ts'
import { handleNotification } from '../events/receive-callback.ts'
import { paymentErrors } from '../payments.errors.ts'

/**
 * Handles the common webhook address of all stores. With `storeId` it verifies signed events of that store; otherwise it polls the named
 * checkout.
 */
export async function receiveNotification(context: Context, { adapter, inbound, request }: OperationCall<'payment', 'notified'>) {
  const query = new URL(request.url).searchParams
  const storeId = query.get('storeId')
  if (storeId !== null && inbound && request.method === 'POST') {
    await receiveAtStore(context, 'payment', adapter.slug, storeId, inbound)
    return { received: true }
  }
  const name = adapter.returns ?? 'id'
  const externalId = query.get(name)
  if (!externalId || externalId.length > 200) throw paymentErrors.checkoutUnnamed({ field: [name] })
  await handleNotification(context, adapter.slug, externalId)
  return { received: true }
}
