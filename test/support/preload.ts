import { afterAll } from 'bun:test'
import { closeEverything } from './at-end.ts'

afterAll(closeEverything, 60_000)
// Loaded on demand: it brings the driver, which most files of plain functions never need.
if (process.env.TEST_STATEMENTS) (await import('./statements.ts')).noteStatements(`${process.env.TEST_STATEMENTS}/${process.pid}`)

// A password costs a fifth of a second on purpose, and every test has people. `users.test.ts` sees to it that it does where the server runs.
const { hash } = Bun.password
Bun.password.hash = (password) => hash(password, { algorithm: 'argon2id', memoryCost: 1024, timeCost: 1 })
