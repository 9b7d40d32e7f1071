/** Accepted currencies: any, because no bank is called. */
export const currencies: readonly string[] = `
  DZD MAD TND EGP SAR AED QAR KWD BHD OMR JOD LYD MRU SDG IQD LBP YER TRY XOF XAF GNF
  EUR USD GBP CAD CHF JPY AUD NZD SEK NOK DKK PLN CZK HUF RON CNY INR BRL MXN ZAR NGN KES`
  .trim()
  .split(/\s+/)
