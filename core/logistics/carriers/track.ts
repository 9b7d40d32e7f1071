import type { Carrier, CarrierContext } from '../../../plugins/carrier/contract.ts'
import { ParcelPage } from '../../../plugins/carrier/model.ts'
import type { AdapterOffering } from '../../../plugins/kind.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import type { OperationCall } from '../../integrations/operations/operation-registry.ts'
import { carrierErrors } from './carriers.errors.ts'

/** Reads a parcel from its carrier. Throws `AdapterFailure` (`not_found`) for an unknown tracking number. */
export async function trackParcel(carrier: AdapterOffering<Carrier, { needs: ['track'] }>, adapter: CarrierContext, tracking: string) {
  const [parcel] = await carrier.track(adapter, [tracking])
  if (!parcel) throw new AdapterFailure('not_found', `${carrier.label} has no parcel ${tracking}.`, { wasSent: false })
  return parcel
}

const PAGE = 20

/** Lists the parcels of the carrier account, in the carrier's own pages. */
export async function listCarrierParcels(
  context: Context,
  { adapter: carrier, connection, name: operation, ...asked }: OperationCall<'carrier', 'list'>,
) {
  const query = { limit: PAGE, ...(asked.body ?? asked.query) }
  if (query.since && Number.isNaN(Date.parse(query.since))) throw carrierErrors.dateInvalid({ field: asked.body ? ['since'] : ['since'] })
  const { rows, nextCursor } = await callAdapter(context, connection, (_, adapter) => carrier.list(adapter, query), {
    operation,
    quota: 'read',
    schema: ParcelPage,
  })
  return { data: rows, nextCursor }
}
