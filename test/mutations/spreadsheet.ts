// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations, Planting } from './plant.ts'

/** Faults in writing rows. */
const writeFaults: Mutations = {
  'customer text run as a formula': [
    ['google-sheets', 'values.ts', "export const AS_IT_IS = 'RAW'", "export const AS_IT_IS = 'USER_ENTERED'"],
    [
      'google-sheets',
      'rows.ts',
      "query: { valueInputOption: AS_IT_IS, insertDataOption: 'INSERT_ROWS' }",
      "query: { valueInputOption: 'USER_ENTERED', insertDataOption: 'INSERT_ROWS' }",
    ],
    [
      'google-sheets',
      'rows.ts',
      'json: { valueInputOption: AS_IT_IS, data },\n      })\n    return there',
      "json: { valueInputOption: 'USER_ENTERED', data },\n      })\n    return there",
    ],
    [
      'airtable',
      'rows.ts',
      "return typeof value === 'number' && !NUMBERS.includes(type) ? String(value) : value",
      'return Number.isFinite(Number(value)) ? Number(value) : value',
    ],
    [
      'airtable',
      'rows.ts',
      "if (value === '') return null\n",
      "if (value === '') return null\n  if (typeof value === 'string' && /^[=+@-]/.test(value)) value = `'${value}`\n",
    ],
  ],
  'number and text exchanged': [
    ['airtable', 'rows.ts', '&& !NUMBERS.includes(type) ? String(value) : value', '? String(value) : value'],
    ['google-sheets', 'rows.ts', 'line[place] = values[at] ?? null', 'line[place] = values[at] === null ? null : String(values[at])'],
  ],
  'value under the wrong header': [
    [
      'google-sheets',
      'rows.ts',
      'for (const [at, place] of places.entries()) if (place >= 0) line[place] = values[at] ?? null',
      'for (const [at, place] of places.entries()) if (place >= 0) line[at + 1] = values[at] ?? null',
    ],
    ['google-sheets', 'rows.ts', 'if (last && last.at + last.cells.length === place) last', 'if (last) last'],
    ['airtable', 'rows.ts', 'columns.map((column) => fieldOf(table, column))', 'columns.map((_, at) => table.fields[at + 1])'],
    [
      'google-sheets',
      'a1.ts',
      'columnName(rest)) + String.fromCharCode(65 + (column % 26))',
      'columnName(rest)) + String.fromCharCode(66 + (column % 26))',
    ],
    ['google-sheets', 'a1.ts', 'const rest = Math.floor(column / 26) - 1', 'const rest = -1'],
  ],
  'row written over another': [
    ['google-sheets', 'rows.ts', 'cell.trim(), at + 2] as const', 'cell.trim(), at + 1] as const'],
    ['google-sheets', 'rows.ts', "insertDataOption: 'INSERT_ROWS'", "insertDataOption: 'OVERWRITE'"],
    ['google-sheets', 'rows.ts', '.reverse())', ')'],
    [
      'airtable',
      'rows.ts',
      'map(({ key, values }) => ({ id: found.get(key), fields',
      'map(({ values }) => ({ id: [...found.values()][0], fields',
    ],
  ],
  'cell without a value cleared': [
    ['airtable', 'rows.ts', 'return field === undefined || value === null ? []', 'return field === undefined ? []'],
    [
      'google-sheets',
      'rows.ts',
      '.filter(({ place, value }) => place >= 0 && value !== null)',
      '.filter(({ place }) => place >= 0).map(({ place, value }) => ({ place, value: value ?? "" }))',
    ],
  ],
  'cell with an empty value not cleared': [
    ['airtable', 'rows.ts', 'field === undefined || value === null ? []', "field === undefined || value === null || value === '' ? []"],
    ['google-sheets', 'rows.ts', 'place >= 0 && value !== null)', "place >= 0 && value !== null && value !== '')"],
  ],
  'row without its key': [
    ['airtable', 'rows.ts', ', [key.id]: row.key }', ' }'],
    ['google-sheets', 'rows.ts', '  line[key] = name\n', ''],
  ],
  'existing row created again': [
    [
      'airtable',
      'rows.ts',
      'await changeRecords(context, table, records)\n    return there.map(({ key }) => key)',
      'await changeRecords(context, table, records)\n    return wanted.rows.map(({ key }) => key)',
    ],
    [
      'google-sheets',
      'rows.ts',
      'const there = wanted.rows.filter(({ key }) => found.has(key))',
      'const there = wanted.rows.map((row, at) => (found.has(row.key) ? row : (found.set(row.key, found.size + 2 + at), row)))',
    ],
  ],
  'some of many rows lost': [
    [
      'airtable',
      'records.ts',
      'for (const part of tens(records)) {\n    await',
      'for (const part of tens(records).slice(0, 1)) {\n    await',
    ],
    ['airtable', 'records.ts', 'const WRITTEN_MAX = 10', 'const WRITTEN_MAX = 100'],
    ['airtable', 'records.ts', '(at + 1) * WRITTEN_MAX)', '(at + 1) * WRITTEN_MAX - 1)'],
  ],
  'header written twice, or lost': [
    [
      'google-sheets',
      'headers.ts',
      'wanted.filter((header) => placeOf(standing, header) < 0)',
      'wanted.filter((header) => !standing.includes(header))',
    ],
    ['google-sheets', 'headers.ts', 'title, standing.length, lacking)', 'title, 0, lacking)'],
    ['airtable', 'headers.ts', 'for (const header of others) await writeField(context, table, header)', ''],
    ['airtable', 'headers.ts', 'isFree ? table.fields[0]?.id : undefined', 'undefined'],
    ['google-sheets', 'files.ts', 'if (headers.length > 0) await putHeaders(context, id, tab, 0, headers)', ''],
  ],
  'key written over another key': [
    ['google-sheets', 'rows.ts', "rows.filter(({ row }) => (names[row - 2]?.[0] ?? '').trim() === '')", 'rows'],
    ['google-sheets', 'rows.ts', 'names[row - 2]?.[0]', 'names[row - 1]?.[0]'],
  ],
}

/** Faults in finding and reading rows, and in requests. */
const readFaults: Mutations = {
  'tab identified by its title': [
    [
      'google-sheets',
      'tabs.ts',
      'properties.find(({ sheetId }) => String(number(sheetId)) === tabId)',
      "properties.find(({ title }) => title === 'Sheet1')",
    ],
    ['google-sheets', 'a1.ts', `title.replaceAll("'", "''")`, 'title'],
    ['google-sheets', 'a1.ts', "`'${title.replaceAll(\"'\", \"''\")}'!${part}`", '`${title}!${part}`'],
    ['airtable', 'tables.ts', 'find(({ id }) => id === tabId)', "find(({ title }) => title === 'Table 1')"],
    ['google-sheets', 'tabs.ts', '!tab) throw', '!tab && properties.length > 1) throw'],
  ],
  'another tab used for a deleted one': [
    ['google-sheets', 'tabs.ts', '=== tabId)\n', '=== tabId) ?? properties[0]\n'],
    ['airtable', 'tables.ts', '=== tabId)\n', '=== tabId) ?? (await tablesOf(context, spreadsheetId))[0]\n'],
  ],
  'key matched by its beginning only': [
    ['airtable', 'find.ts', '="${key}"`).join', '>="${key}"`).join'],
    ['google-sheets', 'rows.ts', 'const row = found.get(one)', 'const row = [...found].find(([name]) => one.startsWith(name))?.[1]'],
    ['google-sheets', 'rows.ts', 'const place = placeOf(standing, key)', 'const place = Math.max(0, placeOf(standing, key))'],
    ['airtable', 'tables.ts', '  if (field) return field\n', '  if (field ?? table.fields[0]) return field ?? table.fields[0]!\n'],
  ],
  'rows counted from the wrong start': [
    ['google-sheets', 'rows.ts', 'row: from + at, values', 'row: at + 2, values'],
    ['google-sheets', 'rows.ts', '`${from}:${from + count - 1}`', '`${from - 1}:${from + count - 1}`'],
    ['airtable', 'find.ts', 'let [row, pages] = [2, 0]', 'let [row, pages] = [1, 0]'],
    ['airtable', 'rows.ts', '    let row = 2\n', '    let row = 1\n'],
    ['airtable', 'rows.ts', 'if (row >= from && row < from + count)', 'if (row > from && row < from + count)'],
  ],
  'page skipped': [
    ['airtable', 'records.ts', '} while (offset !== undefined)', '} while (false)'],
    ['airtable', 'bases.ts', '} while (offset !== undefined && found.length < BASES_MAX)', '} while (false)'],
    ['google-sheets', 'files.ts', '    pageToken = text(answer.nextPageToken)\n', ''],
    ['airtable', 'records.ts', 'offset = text(answer.offset)', 'offset = offset ?? text(answer.offset)'],
  ],
  'wrong page of the file list': [['google-sheets', 'files.ts', '    pageToken,\n', '']],
  'call repeated although it may have succeeded': [
    [
      'google-sheets',
      'rows.ts',
      "    const answer = await callSheets(context, `${pathOf(sheet.spreadsheetId, 'values', range(title, 'A1'))}:append`, {\n      method: 'POST',",
      "    const twice = (...given) => callSheets(...given).catch(() => callSheets(...given))\n    const answer = await twice(context, `${pathOf(sheet.spreadsheetId, 'values', range(title, 'A1'))}:append`, {\n      method: 'POST',",
    ],
    [
      'airtable',
      'records.ts',
      "await writeTen(context, table, 'POST', part).catch((error: unknown) => {\n      throw",
      "await writeTen(context, table, 'POST', part).catch(() => writeTen(context, table, 'POST', part)).catch((error: unknown) => {\n      throw",
    ],
    ['airtable', 'tables.ts', 'if (!isStale(error)) throw error\n', ''],
    ['google-sheets', 'tabs.ts', 'if (!wasRenamed(error)) throw error\n', ''],
  ],
  'empty or unreadable answer accepted': [
    ['google-sheets', 'rows.ts', 'if (done !== values.length) throw', 'if (done !== undefined && done !== values.length) throw'],
    [
      'google-sheets',
      'files.ts',
      "if (!Array.isArray(answer.files)) throw unreadable(LABEL, 'no list of files')",
      'if (!Array.isArray(answer.files)) break',
    ],
    ['google-sheets', 'tabs.ts', "if (found.length === 0) throw unreadable(LABEL, 'a spreadsheet without tabs')", ''],
    [
      'airtable',
      'bases.ts',
      "if (!Array.isArray(answer.bases)) throw unreadable(LABEL, 'no list of bases')",
      'if (!Array.isArray(answer.bases)) break',
    ],
    ['google-sheets', 'api.ts', "if (!isRow(answer.value)) throw unreadable(LABEL, 'no object')", 'if (!isRow(answer.value)) return {}'],
  ],
  'error reported as another': [
    ['google-sheets', 'api.ts', 'if (answer.status === 403 && namesFile)', 'if (false)'],
    ['google-sheets', 'api.ts', "answer.status === 404 && upstream.code === 'NOT_FOUND'", 'false'],
    ['airtable', 'api.ts', 'if (answer.status === 403)', 'if (false)'],
    ['airtable', 'api.ts', 'answer.status === 404 && code !== undefined', 'false'],
    [
      'google-sheets',
      'api.ts',
      'if (!answer.ok) throw failureOf(context, answer, { namesFile })',
      "if (!answer.ok) throw new AdapterError('unavailable', LABEL)",
    ],
    ['airtable', 'api.ts', 'if (!answer.ok) throw failureOf(context, answer)', "if (!answer.ok) throw new AdapterError('refused', LABEL)"],
  ],
  'time to wait not reported': [
    ['airtable', 'api.ts', '{ ...upstream, ...wait }', 'upstream'],
    ['airtable', 'api.ts', 'found.retryAfterSeconds ?? WAIT_SECONDS', 'WAIT_SECONDS'],
  ],
  'secret in a URL': [
    [
      'google-sheets',
      'api.ts',
      '{ method, headers, ...question })',
      '{ method, headers, ...question, query: { ...question.query, access_token: context.credentials.accessToken } })',
    ],
    [
      'airtable',
      'api.ts',
      '{ method, headers, ...question })',
      '{ method, headers, ...question, query: { ...question.query, api_key: context.credentials.accessToken } })',
    ],
  ],
  'title changed': [
    [
      'google-sheets',
      'files.ts',
      'json: { properties: { title }, sheets',
      'json: { properties: { title: title.normalize("NFKD").replace(/[^ -~]/g, "") }, sheets',
    ],
    ['airtable', 'bases.ts', 'tables: [{ name: tab, fields }]', "tables: [{ name: 'Table 1', fields }]"],
  ],
}

export const spreadsheet: Planting = {
  kind: 'spreadsheet',
  mutations: { ...writeFaults, ...readFaults },
  sampleSize: 2,
  atLeast: { sorts: 20, faults: 60 },
}
