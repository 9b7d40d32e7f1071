import { isIP } from 'node:net'
import { isPublicAddress } from '../../../lib/net/addresses.ts'

type Family = readonly [pattern: RegExp, name: string]

/** Programs by pattern. The first match counts, because most programs also name the programs they descend from. */
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

/**
 * Describes the device of a user agent: "Firefox on Android". Returns "unknown" when the user agent names neither a program nor a system.
 */
export function deviceOf(userAgent: string): string {
  const [program, system] = [familyOf(PROGRAMS, userAgent), familyOf(SYSTEMS, userAgent)]
  return [program, system].filter(Boolean).join(' on ') || UNKNOWN
}

/**
 * Masks a stored network for display: "203.0.113.x". Returns "unknown" for networks outside the public internet. `network` has the form of
 * `networkOf`.
 */
export function maskNetwork(network: string | null): string {
  if (network === null) return UNKNOWN
  const address = network.replace('::/64', '::')
  if (!isPublicAddress(address)) return UNKNOWN
  return isIP(address) === 4 ? address.replace(/\d+$/, 'x') : network
}
