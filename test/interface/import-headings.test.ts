import { expect, test } from 'bun:test'
import { IMPORTS_FILE, withHeadings } from './import-headings.ts'

test('the page on imports lists every heading that an import knows', async () => {
  const page = await Bun.file(IMPORTS_FILE).text()
  expect(page).toBe(withHeadings(page))
})
