import { expect, test } from 'bun:test'
import { startApp } from '../support/app.ts'
import { readDocument } from '../support/openapi.ts'
import { CODES_FILE, errorCodes } from './error-codes.ts'

test('error codes of operations: the file says what the sources say', async () => {
  const document = await readDocument(await startApp())
  // Made anew by: bun test/interface/error-codes.ts
  expect(await Bun.file(CODES_FILE).json()).toEqual(errorCodes(document))
}, 300_000)
