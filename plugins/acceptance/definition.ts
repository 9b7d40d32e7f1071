import type { Adapter } from '../adapter.ts'
import { assertEqual, assertUnique, check } from './checks.ts'

const hostForm = /^(?=.{4,253}$)(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/
const fieldForm = /^[a-z][A-Za-z0-9]*$/

/** Checks the constants that every adapter declares. */
export function assertDefinition(adapter: Adapter, { name, contract }: { readonly name: string; readonly contract: number }): void {
  assertEqual(adapter.kind, name, 'kind')
  assertEqual(adapter.contract, contract, 'contract')
  check(/^[a-z][a-z0-9-]{1,39}$/.test(adapter.slug), `slug ${adapter.slug} is lower case letters, digits and hyphens`)
  check(adapter.label.trim() !== '', 'label is not empty')
  check(!adapter.website || URL.canParse(adapter.website), 'website is an address')
  for (const host of adapter.net) check(hostForm.test(host), `net: ${host} is a plain host name`)
  assertUnique(adapter.net, 'hosts')
}

/** Checks the declared credentials and settings. */
export function assertFields({ credentials, settings }: Pick<Adapter, 'credentials' | 'settings'>): void {
  const fields = Object.entries({ ...settings, ...credentials })
  assertEqual(fields.length, Object.keys(settings).length + Object.keys(credentials).length, 'fields with names of their own')
  for (const [name, field] of fields) {
    check(fieldForm.test(name), `field ${name} is camelCase`)
    check(field.label.trim() !== '', `field ${name} has a label`)
    check(!(field.secret && field.default !== undefined), `secret ${name} has no default`)
    if (field.pattern) new RegExp(`^(?:${field.pattern})$`, 'u')
    const type = field.type ?? 'text'
    check(field.default === undefined || typeof field.default === (type === 'text' ? 'string' : type), `default of ${name} is a ${type}`)
  }
  for (const [name, field] of Object.entries(settings)) check(!field.secret, `setting ${name} is no secret; make it a credential`)
}

/** Checks the rate limits. */
export function assertRateWindows({ rateWindows }: Pick<Adapter, 'rateWindows'>): void {
  for (const { calls, seconds } of rateWindows)
    check(Number.isInteger(calls) && calls > 0 && seconds > 0, `${calls} calls in ${seconds} s can be kept`)
  assertUnique(
    rateWindows.map(({ seconds }) => String(seconds)),
    'lengths of the windows',
  )
}
