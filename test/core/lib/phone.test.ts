import { expect, test } from 'bun:test'
import { normalizePhone, parsePhones, parsePossiblePhone } from '../../../core/lib/phone.ts'

const MOBILE = '+213550123456'

test('phone: every usual way of writing one number becomes its E.164 form', () => {
  for (const typed of [
    '0550123456',
    '0550 12 34 56',
    '0550.12.34.56',
    '0550-12-34-56',
    '0550/12/34/56',
    '0550 - 12 - 34 - 56',
    '0550\u202F12\u202F34\u202F56',
    '0550\u200912\u200934\u200956',
    '0550\u200712\u200734\u200756',
    '0550\u00A012\u3000345\u205F6',
    '0550\u201112\u201334\u221256',
    '0550·12·34•56',
    '0550\\12\\34\\56',
    '\u200E0550123456\u200F',
    '\u202A0550123456\u202C',
    '\uFEFF0550\u200B123456',
    '+213 550 12 34 56',
    '+213 (0) 550 12 34 56',
    '+213(0)550123456',
    '+2130550123456',
    '00213550123456',
    '00 213 550 12 34 56',
    '213550123456',
    '٠٥٥٠١٢٣٤٥٦',
    '۰۵۵۰۱۲۳۴۵۶',
    '०५५०१२३४५६',
    '０５５０１２３４５６',
    '٠٥٥٠/١٢/٣٤/٥٦',
    '550123456',
    '550123456.0',
    "'0550123456",
    '="0550123456"',
    'Tél : 0550 12 34 56',
    'tel 0550123456',
    'p:+213550123456',
    'هاتف 0550123456',
    '(0550) 12-34-56',
  ])
    expect([typed, parsePhones(typed, 'DZ')]).toEqual([typed, [MOBILE]])
  expect(normalizePhone('021-54-32-10', 'DZ')).toBe('+21321543210')
  expect(normalizePhone('021 23 45 67', 'DZ')).toBe('+21321234567')
  expect(normalizePhone('0612345678', 'MA')).toBe('+212612345678')
  expect(normalizePhone('98 123 456', 'TN')).toBe('+21698123456')
  expect(normalizePhone('+33 6 12 34 56 78', 'DZ')).toBe('+33612345678')
})

test('phone: a number that cannot exist is not read', () => {
  for (const typed of [
    ...['', ' ', '-', '+', '12', 'appeler', '055012345', '0215432101', '05501234567890123', '05501234567', '0000000000', '0123456789'],
    ...['O550123456', '055O123456', '0550l23456', '0550123456 x', '5.50123456E+08', '+999 550123456', '+213 55012345', '05 50 12 34 5'],
    ...['0550123456+', '++213550123456', '0'.repeat(200), '0550123456 / 055', '0550123456/57', '05501234/56789012'],
  ])
    expect([typed, parsePhones(typed, 'DZ')]).toEqual([typed, []])
  expect(parsePhones('061234567', 'MA')).toEqual([])
  expect(parsePhones('9812345', 'TN')).toEqual([])
})

test('phone: two numbers in one field are both read, in order', () => {
  const both = ['+213550123456', '+213660112233']
  for (const typed of [
    '0550123456 / 0660112233',
    '0550123456/0660112233',
    '0550123456 0660112233',
    '0550123456-0660112233',
    '0550123456 - ٠٦٦٠١١٢٢٣٣',
    '0550 12 34 56 0660 11 22 33',
    '0550 12 34 56 / 0660 11 22 33',
    '0550-12-34-56-0660-11-22-33',
    '0550/12/34/56/0660/11/22/33',
    '0550 - 12 - 34 - 56 / 0660 - 11 - 22 - 33',
    '0550123456 ou 0660112233',
    '0550123456 و 0660112233',
    '0550123456, 0660112233',
    '0550123456،0660112233',
    '0550123456;0660112233',
    '0550123456\n0660112233',
    '0550123456 | 0660112233',
    '0550123456 & 0660112233',
    '+213550123456 +213660112233',
    '+213550123456/00213660112233',
    '550123456 660112233',
    '0550123456\u00A0\u2013\u00A00660112233',
  ])
    expect([typed, parsePhones(typed, 'DZ')]).toEqual([typed, both])
  expect(parsePhones('021 54 32 10 0550 12 34 56', 'DZ')).toEqual(['+21321543210', MOBILE])
  expect(parsePhones('98 123 456 22 333 444', 'TN')).toEqual(['+21698123456', '+21622333444'])
  expect(parsePhones('0550123456 / 0550 12 34 56', 'DZ')).toEqual([MOBILE])
  expect(parsePhones('0550123456, 0660112233, 0770112233', 'DZ')).toHaveLength(3)
  expect(normalizePhone('0550123456 / 0660112233', 'DZ')).toBeNull()
})

test('phone: a country without a plan of its own takes the plan that holds there, an unknown one international numbers', () => {
  expect(normalizePhone('612345678', 'TF')).toBeNull()
  expect(normalizePhone('0262123456', 'TF')).toBe('+262262123456')
  expect(normalizePhone('(201) 555-0123', 'UM')).toBe('+12015550123')
  expect(normalizePhone('0550123456', 'ZZ')).toBeNull()
  expect(normalizePhone('+213 550 12 34 56', 'ZZ')).toBe(MOBILE)
})

test('phone: a search also takes a possible number that is not valid', () => {
  expect(parsePossiblePhone('055012345', 'DZ')).toBe('+21355012345')
  expect(parsePossiblePhone('0550 12 34 56', 'DZ')).toBe(MOBILE)
  expect(parsePossiblePhone('12', 'DZ')).toBeNull()
})
