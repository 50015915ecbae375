import { expect, test } from "vitest";
import { countryDefault } from "../../kernel/countries.ts";
import { readPageSize, toQuery } from "../list-query.ts";
import { readSearch } from "./read-search.ts";

const place = { country: countryDefault, timeZone: "Africa/Niamey" };
const hex = "0".repeat(31) + "a";

test("filters of an address are read as the company means them", () => {
  const query = new URLSearchParams({
    status: "failed",
    from: "2026-03-01",
    to: "2026-03-31",
    min: "25 000",
    max: "500000",
    phone: "77 123 45 67",
    subCompany: `subco_${hex}`,
    batch: `bat_${hex}`,
    reason: "SERVICE_ACCOUNT_NOT_FOUND",
  });
  const { search, wrong, typed } = readSearch(query, place);
  const id = "00000000-0000-0000-0000-00000000000a";
  expect(wrong).toEqual([]);
  expect(search).toEqual({
    status: "failed",
    createdFrom: new Date("2026-02-28T23:00:00.000Z"),
    createdTo: new Date("2026-03-31T22:59:59.999Z"),
    amountMin: 25_000,
    amountMax: 500_000,
    msisdn: "221771234567",
    subCompanyId: id,
    batchId: id,
    failureReason: "SERVICE_ACCOUNT_NOT_FOUND",
  });
  expect(toQuery(typed, { status: undefined, cursor: "x" })).toMatchObject({
    cursor: "x",
    min: "25 000",
  });
  expect(toQuery(typed, { status: undefined })).not.toHaveProperty("status");
});

test("what nobody can understand is named, and what is empty is not asked for", () => {
  const query = new URLSearchParams(
    "status=lost&from=2026-02-30&to=&min=25.000&max=-5&phone=12&subCompany=bat_1&batch=x&reason=&limit=17",
  );
  const { search, wrong } = readSearch(query, place);
  expect(search).toEqual({});
  expect(wrong).toEqual(["status", "from", "min", "max", "phone", "subCompany", "batch"]);
  expect(readPageSize(query)).toBe(15);
  expect(readPageSize(new URLSearchParams("limit=100"))).toBe(100);
});
