import { countries } from 'countries-list'

/** Returns the usual currency of a country (ISO 4217). Undefined for an unknown country. */
export const usualCurrency = (country: string): string | undefined =>
  (countries as Readonly<Record<string, { readonly currency: readonly string[] }>>)[country]?.currency[0]
