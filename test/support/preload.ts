import { afterAll } from 'bun:test'
import { dropServer } from './database.ts'

afterAll(dropServer)
