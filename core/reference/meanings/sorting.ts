/** Meanings of sort orders by field: ascending, then with a minus. */
const orders: Readonly<Record<string, readonly [ascending: string, descending: string]>> = {
  createdAt: [
    'Oldest first: the record that was added earliest leads the list.',
    'Newest first: the record that was added last leads the list.',
  ],
  updatedAt: [
    'Longest untouched first: records without recent edits lead the list.',
    'Latest edit first: use it to see what moved since your last look.',
  ],
  name: ['Alphabetical, from A to Z; use it for a list that people read.', 'Reverse alphabetical, from Z to A.'],
  title: ['Alphabetical by heading, from A to Z.', 'Reverse alphabetical by heading, from Z to A.'],
  email: ['Alphabetical by address, from A to Z.', 'Reverse alphabetical by address, from Z to A.'],
  code: ['Alphabetical by short name, from A to Z.', 'Reverse alphabetical by short name, from Z to A.'],
  price: ['Cheapest first: the lowest amount leads the list.', 'Most expensive first: the highest amount leads the list.'],
  total: ['Smallest sum first, delivery and discount included.', 'Largest sum first, delivery and discount included.'],
  rating: ['Worst reviews first: one star before five.', 'Best reviews first: five stars before one.'],
  position: [
    'In the sequence that the store arranged, from the first to the last.',
    'In the reverse of the sequence that the store arranged.',
  ],
}

/** Returns the meaning of a value of `sort`; undefined for a field without one. */
export function sortMeaningOf(value: string): string | undefined {
  const [ascending, descending] = orders[value.replace(/^-/, '')] ?? []
  return value.startsWith('-') ? descending : ascending
}
