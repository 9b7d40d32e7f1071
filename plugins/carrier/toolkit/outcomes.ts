import { CarrierError, type SentRow, type Shipment, type Warning } from '../contract.ts'

/** Builds a handler for `catch`: an error with this reason gives the value of `instead`; all others are thrown again. */
export const where =
  <V>(reason: CarrierError['reason'], instead: () => V) =>
  (error: unknown): V => {
    if (error instanceof CarrierError && error.reason === reason) return instead()
    throw error
  }

/** Converts a refusal to its row of `sendMany`; throws all other errors again. */
export function refusedRow(reference: string, error: unknown): SentRow & { refused: object } {
  if (!(error instanceof CarrierError) || error.reason !== 'refused') throw error
  return { reference, refused: { code: error.upstream.code ?? 'refused', message: error.message } }
}

/** Translates shipments one after the other. A shipment that cannot be translated is refused alone. */
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

/** Builds the warning for a look-up that found `count` parcels under one reference, which a person must resolve. */
export const sentMoreThanOnce = (label: string, count: number, reference: string): Warning => ({
  code: 'sent_more_than_once',
  message: `${label} has ${count} parcels of ${reference}. Cancel the extra ones.`,
})
