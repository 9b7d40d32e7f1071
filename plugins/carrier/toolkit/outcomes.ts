import { CarrierError, type SentRow, type Shipment, type Warning } from '../contract.ts'

/** For `catch`: where it failed for this reason something else holds; every other failure stays one. */
export const where =
  <V>(reason: CarrierError['reason'], instead: () => V) =>
  (error: unknown): V => {
    if (error instanceof CarrierError && error.reason === reason) return instead()
    throw error
  }

/** The row of `sendMany` for a parcel that was refused; every other failure stays one. */
export function refusedRow(reference: string, error: unknown): SentRow & { refused: object } {
  if (!(error instanceof CarrierError) || error.reason !== 'refused') throw error
  return { reference, refused: { code: error.upstream.code ?? 'refused', message: error.message } }
}

/** Parcels in the carrier's words, one after the other; what cannot be translated is refused alone. */
export async function translateEach<T>(
  shipments: readonly Shipment[],
  translate: (shipment: Shipment) => Promise<T>,
): Promise<{ ready: T[]; refused: SentRow[] }> {
  const ready: T[] = []
  const refused: SentRow[] = []
  for (const shipment of shipments) {
    try {
      ready.push(await translate(shipment))
    } catch (error) {
      refused.push(refusedRow(shipment.reference, error))
    }
  }
  return { ready, refused }
}

/** A look-up found `count` parcels where one was sent: nothing that we can put right. */
export const sentMoreThanOnce = (label: string, count: number, reference: string): Warning => ({
  code: 'sent_more_than_once',
  message: `${label} has ${count} parcels of ${reference}. Cancel those that are too many.`,
})
