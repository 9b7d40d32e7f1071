import { expect, test } from 'bun:test'
import { readPages } from '../docs/generated.ts'
import { importPages } from './import-headings.ts'

test('docs/imports.md and docs/imports/ list every heading: write them with bun test/interface/import-headings.ts', async () => {
  const written = await readPages('imports')
  expect(written).toEqual(importPages(written['imports.md'] ?? ''))
})
