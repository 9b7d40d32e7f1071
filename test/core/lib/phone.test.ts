import { expect, test } from 'bun:test'
import { normalizePhone, splitPhones } from '../../../core/lib/phone.ts'

test('what people type becomes E.164, or nothing', () => {
  for (const typed of [
    '0550123456',
    '0550 12 34 56',
    '0550.12.34.56',
    '+213 550 12 34 56',
    '00213550123456',
    '213550123456',
    '٠٥٥٠١٢٣٤٥٦',
    '550123456',
  ]) {
    expect(normalizePhone(typed, 'DZ')).toBe('+213550123456')
  }
  expect(normalizePhone('021 23 45 67', 'DZ')).toBe('+21321234567')
  for (const typed of ['', '12', 'appeler', '05501234567890123']) expect(normalizePhone(typed, 'DZ')).toBeNull()
  expect(normalizePhone('0550123456', 'ZZ')).toBeNull()
})

test('several numbers in one cell are told apart', () => {
  expect(splitPhones('0550123456 / 0660112233')).toEqual(['0550123456', '0660112233'])
  expect(splitPhones('0566668204 - ٠٦٠٣٠٣٤٧٢٥')).toEqual(['0566668204', '٠٦٠٣٠٣٤٧٢٥'])
  expect(splitPhones('0550-12-34-56')).toEqual(['0550-12-34-56'])
  expect(splitPhones('0550123456 ou 0660112233')).toHaveLength(2)
})
