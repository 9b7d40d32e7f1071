import type { Fields } from '../../fields.ts'

/** Settings of a carrier that wants a weight and a size for each parcel, also where the order tells none. */
export const usualSize = {
  weightKg: { label: 'Weight where none is given (kg)', type: 'number', default: 1 },
  lengthCm: { label: 'Length where none is given (cm)', type: 'number', default: 10 },
  widthCm: { label: 'Width where none is given (cm)', type: 'number', default: 10 },
  heightCm: { label: 'Height where none is given (cm)', type: 'number', default: 10 },
} as const satisfies Fields
