import type { Fields } from '../../fields.ts'

/** Settings for a carrier that requires a weight and a size for each parcel, used when the order has none. */
export const usualSize = {
  weightKg: { label: 'Default weight (kg)', type: 'number', default: 1 },
  lengthCm: { label: 'Default length (cm)', type: 'number', default: 10 },
  widthCm: { label: 'Default width (cm)', type: 'number', default: 10 },
  heightCm: { label: 'Default height (cm)', type: 'number', default: 10 },
} as const satisfies Fields
