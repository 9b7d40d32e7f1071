import { useStore } from '../../../session/store.tsx'

/** Returns the address of the label of a parcel that a carrier has; undefined for a user who may not print it. */
export function useLabelPath(): (parcel: { readonly carrier: string | null; readonly trackingId: string | null }) => string | undefined {
  const { storeId, can } = useStore()
  return ({ carrier, trackingId }) =>
    carrier !== null && trackingId !== null && can('carrier.label')
      ? `/v1/stores/${storeId}/integrations/${encodeURIComponent(carrier)}/orders/${encodeURIComponent(trackingId)}/label`
      : undefined
}
