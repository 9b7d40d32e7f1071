/**
 * What Stripe charges in, as far as its unit is the least unit of ISO 4217. It counts ISK, UGX and MGA otherwise, so they are left out:
 * nothing here converts amounts.
 */
export const currencies: readonly string[] = `
  USD EUR JPY KWD GBP DZD MAD TND EGP SAR AED QAR BHD OMR JOD TRY
  AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP
  ETB FJD FKP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KMF KRW KYD KZT LAK LBP LKR LRD LSL
  MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN PYG RON RSD RWF
  SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TTD TWD TZS UAH UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW`
  .trim()
  .split(/\s+/)

/** Three digits stand behind their point, and Stripe wants the last to be 0. */
export const THREE_DECIMALS: readonly string[] = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']
