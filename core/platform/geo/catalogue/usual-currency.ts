import { countries } from 'countries-list'

/** What is paid with in a country as a rule (ISO 4217); undefined of what is no country. */
export const usualCurrency = (country: string): string | undefined =>
  (countries as Readonly<Record<string, { readonly currency: readonly string[] }>>)[country]?.currency[0]
