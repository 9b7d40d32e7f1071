import { ApiError } from '../../http/errors/errors.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** All that a person owns is another's from now on; he stays an administrator of it. */
    'person.handsOver': { fromId: string; toId: string }
    /** A person is deleted. Whoever keeps something that needs him throws `person_owns_things`. */
    'person.leaving': { userId: string }
  }
}

/** Throws where there are any. */
export function assertOwnsNone(what: string, count: number): void {
  if (count > 0)
    throw new ApiError('person_owns_things', `This person owns ${count} ${what}: they are deleted, or handed over to somebody else, first.`)
}
