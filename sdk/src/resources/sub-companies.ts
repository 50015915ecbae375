import type {
  CreateSubCompanyBody,
  ListSubCompaniesQuery,
  SubCompany,
  UpdateSubCompanyBody,
} from "../api.ts";
import type { List } from "../list.ts";
import { type Sender, step } from "../sender.ts";
import type { CallOptions, WriteOptions } from "../settings.ts";

/** On whose behalf money is sent and asked for. */
export class SubCompanies {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  create(subCompany: CreateSubCompanyBody, options?: WriteOptions): Promise<SubCompany> {
    return this.#sender.post("keyed", "/v1/sub-companies", subCompany, options);
  }

  async get(id: string, options?: CallOptions): Promise<SubCompany> {
    return this.#sender.get(`/v1/sub-companies/${step(id)}`, options);
  }

  list(query: ListSubCompaniesQuery = {}, options?: CallOptions): List<SubCompany> {
    return this.#sender.list("/v1/sub-companies", query, options);
  }

  /** Changes the fields that are given. */
  async update(id: string, body: UpdateSubCompanyBody, options?: CallOptions): Promise<SubCompany> {
    const path = `/v1/sub-companies/${step(id)}`;
    return this.#sender.send({ effect: "same", method: "PUT", path, body, options, has: "id" });
  }
}
