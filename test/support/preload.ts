import { afterAll } from 'bun:test'
import { dropServer } from './database.ts'
import { noteStatements } from './statements.ts'

afterAll(dropServer, 60_000)
if (process.env.TEST_STATEMENTS) noteStatements(`${process.env.TEST_STATEMENTS}/${process.pid}`)

// A password costs a fifth of a second on purpose, and every test has people. `users.test.ts` sees to it that it does where the server runs.
const { hash } = Bun.password
Bun.password.hash = (password) => hash(password, { algorithm: 'argon2id', memoryCost: 1024, timeCost: 1 })
