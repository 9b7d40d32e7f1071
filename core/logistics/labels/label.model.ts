/** What stands on a label, in the words of its reader; plain data, so that it can be printed elsewhere. */
export interface LabelContents {
  readonly carrier: string
  readonly tracking: string
  readonly store: { readonly name: string; readonly phone: string | null }
  readonly recipient: { readonly name: string; readonly phones: readonly string[] }
  readonly address: string
  readonly city: string
  readonly state: { readonly code: string; readonly name: string }
  /** Home, or a place where it is collected. */
  readonly delivery: { readonly type: 'home' | 'pickup' | 'return_point'; readonly center: string | null }
  /** In the major unit; nothing is collected where it is 0. */
  readonly cod: { readonly amount: number; readonly currency: string }
  /** 0 where nobody said. */
  readonly weightKg: number
  readonly contents: string
  readonly reference: string
  readonly notes: string
  /** The day, as it is written where the store is. */
  readonly date: string
  readonly fragile: boolean
}

const papers = ['a6', 'a4'] as const
export type Paper = (typeof papers)[number]

/** In points. */
export const sizes: Readonly<Record<Paper, readonly [width: number, height: number]>> = { a6: [297.64, 419.53], a4: [595.28, 841.89] }
