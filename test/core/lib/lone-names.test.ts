import { describe, expect, test } from 'bun:test'
import { literalsOf } from '../../../core/lib/person/person-literals.ts'
import { matcherOf } from '../../../core/lib/person/person-matcher.ts'

const terms = {
  names: ['Zoulikha', 'Al', 'زليخة'],
  phones: ['+213661987654'],
  otherPhones: [],
  otherEmails: [],
  emails: [],
  addresses: [],
  notes: [],
  ids: [],
}
const matcher = matcherOf(terms)

describe('a name of one word', () => {
  test.each([
    '{"name":"Zoulikha","city":"Oran"}',
    '{"customer": "zoulikha"}',
    '{"body":"{\\"first_name\\":\\"Zoulikha\\"}"}',
    '{"nom_client":"زليخة"}',
    '{"buyer":"\\u0632\\u0644\\u064a\\u062e\\u0629"}',
    'id=5&customer_name=Zoulikha&total=12',
    '{"name":"Zoulikha","phone":""}',
  ])('is found where a name field says nothing else: %s', (text) => {
    expect(matcher.isNamed(text)).toBe(true)
    expect(matcher.isNamed(matcher.scrub(text, { isAbout: false }))).toBe(false)
    expect(matcher.scrub(text, { isAbout: false })).toContain('[erased]')
  })

  test.each([
    '{"note":"Zoulikha"}',
    '{"name":"Zoulikha Mansouri"}',
    '{"product_name":"Zoulikha"}',
    '{"name":"Al"}',
    'Zoulikha asked for it',
    '{"name":"Zoulikha","phone":"0550123456"}',
    '{"name":"Zoulikha","contact":{"email":"z@example.dz"}}',
    'name=Zoulikha&phone=0550123456',
  ])('is left where it may be of another person, or of a thing: %s', (text) => {
    expect(matcher.isNamed(text)).toBe(false)
    expect(matcher.scrub(text, { isAbout: false })).toBe(text)
  })

  test('is replaced in JSON, and not in the record of somebody with another number', () => {
    const [theirs, other] = [{ name: 'Zoulikha' }, { name: 'Zoulikha', phone: '0550123456' }]
    expect(matcher.scrubJson([theirs, other], { isAbout: false })).toEqual([{ name: '[erased]' }, other])
  })

  test('is a literal that the database looks for', () => {
    expect(literalsOf({ ...terms, names: ['Zoulikha', 'Al'] })?.texts).toEqual(['zoulikha'])
  })
})
