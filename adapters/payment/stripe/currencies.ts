/**
 * Currencies that Stripe charges in minor units of ISO 4217. ISK, UGX and MGA use other units, and are left out because amounts are not
 * converted here.
 */
export const currencies: readonly string[] = `
  USD EUR JPY KWD GBP DZD MAD TND EGP SAR AED QAR BHD OMR JOD TRY
  AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP
  ETB FJD FKP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KMF KRW KYD KZT LAK LBP LKR LRD LSL
  MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN PYG RON RSD RWF
  SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TTD TWD TZS UAH UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW`
  .trim()
  .split(/\s+/)

/** Currencies with three decimals, of which Stripe requires the last to be 0. */
export const THREE_DECIMALS: readonly string[] = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']
