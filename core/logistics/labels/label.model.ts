/** Contents of a label as they are printed. Plain data, so that a worker can print it. */
export interface LabelContents {
  readonly carrier: string
  readonly tracking: string
  readonly store: { readonly name: string; readonly phone: string | null }
  readonly recipient: { readonly name: string; readonly phones: readonly string[] }
  readonly address: string
  readonly city: string
  readonly state: { readonly code: string; readonly name: string }
  /** Home delivery, or a pickup point. */
  readonly delivery: { readonly type: 'home' | 'pickup' | 'return_point'; readonly center: string | null }
  /** Amount in major units; 0 when nothing is collected. */
  readonly cod: { readonly amount: number; readonly currency: string }
  /** Weight in kilograms; 0 when unknown. */
  readonly weightKg: number
  readonly contents: string
  readonly reference: string
  readonly notes: string
  /** Day as formatted in the country of the store. */
  readonly date: string
  readonly fragile: boolean
}

const papers = ['a6', 'a4'] as const
/** Paper size of a document of labels. */
export type PaperSize = (typeof papers)[number]

/** Paper sizes in points. */
export const paperSizes: Readonly<Record<PaperSize, readonly [width: number, height: number]>> = {
  a6: [297.64, 419.53],
  a4: [595.28, 841.89],
}
