import { isIP } from 'node:net'
import { isPublicAddress } from '../../../lib/net/addresses.ts'

type Family = readonly [pattern: RegExp, name: string]

/** The first that fits: most programs name those that they descend from besides. */
const PROGRAMS: readonly Family[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bokhttp\//i, 'Android app'],
  [/\bCFNetwork\//, 'iOS app'],
  [/\bcurl\//i, 'curl'],
]
const SYSTEMS: readonly Family[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const UNKNOWN = 'unknown'
const familyOf = (families: readonly Family[], userAgent: string) => families.find(([pattern]) => pattern.test(userAgent))?.[1]

/** "Firefox on Android", as far as its program says; "unknown" where it says nothing of the kind. */
export function deviceOf(userAgent: string): string {
  const [program, system] = [familyOf(PROGRAMS, userAgent), familyOf(SYSTEMS, userAgent)]
  return [program, system].filter(Boolean).join(' on ') || UNKNOWN
}

/** Of a kept network (`networkOf`) what may be shown: "203.0.113.x"; "unknown" of what is not on the public internet. */
export function placeOf(network: string | null): string {
  if (network === null) return UNKNOWN
  const address = network.replace('::/64', '::')
  if (!isPublicAddress(address)) return UNKNOWN
  return isIP(address) === 4 ? address.replace(/\d+$/, 'x') : network
}
