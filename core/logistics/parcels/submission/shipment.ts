import type { Shipment } from '../../../../plugins/carrier/model.ts'
import type { ParcelRow } from '../parcels.queries.ts'

/** Parcel in the form that an adapter receives. */
export function shipmentOf(parcel: ParcelRow): Shipment {
  const { reference, recipient, destination, codAmount, declaredValue, weightKg, dimensions, contents, notes, takesBack } = parcel
  const { stateName, cityCode, pickupId, resolved: _, currentStateCode: __, ...place } = destination
  const { phoneAlt, ...person } = recipient
  const { lengthCm, widthCm, heightCm } = (dimensions ?? {}) as Record<string, unknown>
  const measured = typeof lengthCm === 'number' && typeof widthCm === 'number' && typeof heightCm === 'number'
  return {
    reference,
    recipient: { ...person, ...(phoneAlt && { phoneAlt }) },
    destination: { ...place, stateName: stateName ?? place.stateCode, ...(cityCode && { cityCode }), ...(pickupId && { pickupId }) },
    codAmount: Number(codAmount),
    declaredValue: Number(declaredValue),
    weightKg: Number(weightKg),
    ...(measured && { dimensions: { lengthCm, widthCm, heightCm } }),
    contents,
    notes,
    ...(takesBack !== null && { takesBack }),
  }
}
