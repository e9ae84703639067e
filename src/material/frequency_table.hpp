// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A complex quantity over frequency from a CSV file, interpolated linearly.

#include <string>
#include <vector>

#include "base/types.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::material {

struct FrequencyTable {
  std::string name;                 ///< the file, for messages
  std::string quantity;             ///< "permittivity", for messages
  std::vector<double> frequencies;  ///< [Hz] ascending, at least one
  std::vector<Complex> values;      ///< [frequencies]

  /// @throws InputError outside of its range
  Complex at(double frequency) const;
};

/// Columns frequency_hz, COLUMN_re and COLUMN_im of the file that the key "table" names.
/// @throws InputError for missing columns, no rows, or frequencies that do not ascend
FrequencyTable read_frequency_table(const io::Config& config, const std::string& quantity,
                                    const std::string& column);

}  // namespace curlew::material
