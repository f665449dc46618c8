#include "simulator/files.hpp"

#include "simulator/mesh.hpp"
#include "simulator/reference/quaternion.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>

namespace demeter::simulations {
namespace {

namespace fs = std::filesystem;
using simulator::Form;
using simulator::Simulation;
using simulator::Text;

std::string failure(fs::path const& path) { return fmt::format("{}: {}", path.string(), std::strerror(errno)); }

FileFault fault(fs::path const& path) { return {failure(path)}; }

FileFault changed(fs::path const& path) {
  return {
      fmt::format("{}: changed since the checkpoint was written, expected the bytes that the run wrote", path.string()),
      true};
}

fs::path picture_path(fs::path const& folder, std::string_view what, std::uint64_t step) {
  return folder / "vtk" / fmt::format("{}_{:012}.vtp", what, step);
}

template <class Vector>
void append_texts(std::string& line, Vector const& v, char separator) {
  for (Index k = 0; k < v.size(); ++k) {
    line += separator;
    line += v[k].digits;
  }
}

Vector3<double> values(Vector3<Text> const& v) { return {v[0].value, v[1].value, v[2].value}; }

Matrix3<double> rotation(Quaternion<Text> const& q) {
  return simulator::reference::rotation_matrix<double>({q[0].value, q[1].value, q[2].value, q[3].value});
}

/// The sections of a .vtp file with points and lines between the points.
class Vtp {
 public:
  Vtp(std::size_t points, std::size_t lines) : points_(points), lines_(lines) {}

  void point_data(std::string_view name, int components, std::string const& numbers) {
    point_data_ += array(name, components, numbers);
  }
  void cell_data(std::string_view name, int components, std::string const& numbers) {
    cell_data_ += array(name, components, numbers);
  }
  /// Returns the text of the file. `coordinates` are the coordinates of the points. Each line connects two successive
  /// points.
  std::string text(std::string const& coordinates) const {
    std::string text = fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<PolyData>\n"
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"0\">\n",
        points_, lines_ > 0 ? 0 : points_, lines_);
    text += "<Points>\n" + array("points", 3, coordinates) + "</Points>\n";
    text += lines_ > 0 ? cells("Lines", lines_, 2) : cells("Verts", points_, 1);
    text += "<PointData>\n" + point_data_ + "</PointData>\n<CellData>\n" + cell_data_ + "</CellData>\n";
    return text + "</Piece>\n</PolyData>\n</VTKFile>\n";
  }

 private:
  static std::string array(std::string_view name, int components, std::string const& numbers) {
    return fmt::format(
        "<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">{}\n</DataArray>\n", name,
        components, numbers);
  }
  static std::string cells(std::string_view name, std::size_t count, std::size_t each) {
    std::string connectivity, offsets;
    for (std::size_t k = 0; k < count * each; ++k) connectivity += fmt::format(" {}", k);
    for (std::size_t k = 0; k < count; ++k) offsets += fmt::format(" {}", (k + 1) * each);
    return fmt::format(
        "<{0}>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">{1}\n</DataArray>\n"
        "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">{2}\n</DataArray>\n</{0}>\n",
        name, connectivity, offsets);
  }

  std::size_t points_, lines_;
  std::string point_data_, cell_data_;
};

std::string bodies_picture(Simulation const& simulation, Shown const& shown) {
  std::string points, radius, half, velocity, spin, orientation, body;
  std::size_t count = 0;
  for (auto const& shape : simulation.shapes) {
    if (is_boundary(shape.form)) continue;
    ++count;
    auto const& of = shown.bodies[shape.body];
    Matrix3<double> const R = rotation(of.orientation);
    Vector3<double> const at = values(of.position) + R * shape.centre, along = R * shape.half;
    points += fmt::format(" {} {} {}", at[0], at[1], at[2]);
    half += fmt::format(" {} {} {}", along[0], along[1], along[2]);
    radius += fmt::format(" {}", shape.radius);
    body += fmt::format(" {}", shape.body + 1);
    append_texts(velocity, of.velocity, ' ');
    append_texts(spin, of.spin, ' ');
    append_texts(orientation, of.orientation, ' ');
  }
  Vtp vtp(count, 0);
  vtp.point_data("radius", 1, radius);
  vtp.point_data("half_shaft", 3, half);
  vtp.point_data("velocity", 3, velocity);
  vtp.point_data("spin", 3, spin);
  vtp.point_data("orientation", 4, orientation);
  vtp.point_data("body", 1, body);
  return vtp.text(points);
}

/// Returns whether a contact transmits an impulse. In non-smooth dynamics, a listed contact may have no impulse.
bool acts(simulator::ContactState<Text> const& contact) {
  return contact.force[0].value != 0 || contact.force[1].value != 0 || contact.force[2].value != 0;
}

std::string contacts_picture(Simulation const& simulation, Shown const& shown) {
  std::string points, force, normal, overlap;
  std::size_t count = 0;
  for (auto const& contact : shown.contacts) {
    if (simulation.dynamics == simulator::Dynamics::nonsmooth && !acts(contact)) continue;
    ++count;
    for (std::uint64_t const index : {contact.shape1, contact.shape2}) {
      auto const& shape = simulation.shapes[index];
      auto const& of = shown.bodies[shape.body];
      Vector3<double> at = values(contact.point);
      if (!is_boundary(shape.form)) at = values(of.position) + rotation(of.orientation) * shape.centre;
      points += fmt::format(" {} {} {}", at[0], at[1], at[2]);
    }
    append_texts(force, contact.force, ' ');
    append_texts(normal, contact.normal, ' ');
    overlap += fmt::format(" {}", -contact.uN.value);
  }
  Vtp vtp(2 * count, count);
  vtp.cell_data("force", 3, force);
  vtp.cell_data("normal", 3, normal);
  vtp.cell_data("overlap", 1, overlap);
  return vtp.text(points);
}

std::string boundary_picture(std::vector<simulator::Line> const& boundary) {
  std::string points, until;
  for (auto const& line : boundary) {
    points += fmt::format(" {} {} 0 {} {} 0", line.from[0], line.from[1], line.to[0], line.to[1]);
    until += fmt::format(" {}", line.until);
  }
  Vtp vtp(2 * boundary.size(), boundary.size());
  vtp.cell_data("until", 1, until);
  return vtp.text(points);
}

std::string picture_index(std::string_view what, std::vector<Picture> const& pictures) {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (auto const& picture : pictures)
    text += fmt::format("<DataSet timestep=\"{}\" file=\"{}_{:012}.vtp\"/>\n", picture.time, what, picture.step);
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace

std::string Hash::text() const { return fmt::format("{:016x}", value_); }

std::optional<FileFault> Growing::open(fs::path const& path, FileMark const& mark) {
  // A link of this name may point to a file of another program.
  if (mark.size == 0 && ::unlink(path.c_str()) != 0 && errno != ENOENT) return fault(path);
  int const flags = mark.size == 0 ? O_CREAT | O_EXCL : 0;
  int const file = ::open(path.c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0666);
  if (file < 0) return fault(path);
  file_.reset(::fdopen(file, "a+b"));
  struct stat status {};
  if (!file_ || ::fstat(file, &status) != 0) return fault(path);
  if (!S_ISREG(status.st_mode) || static_cast<std::uint64_t>(status.st_size) < mark.size)
    return FileFault{fmt::format("{}: shorter than recorded in the checkpoint", path.string()), true};
  std::vector<char> part(1 << 16);
  while (size_ < mark.size) {
    auto const wanted = static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), mark.size - size_));
    ssize_t const got = ::pread(file, part.data(), wanted, static_cast<off_t>(size_));
    if (got <= 0) return fault(path);
    hash_.add({part.data(), static_cast<std::size_t>(got)});
    size_ += static_cast<std::uint64_t>(got);
  }
  if (mark.size > 0 && hash_.text() != mark.hash) return changed(path);
  if (::ftruncate(file, static_cast<off_t>(mark.size)) != 0) return fault(path);
  return std::nullopt;
}

void Growing::write(std::string_view text) {
  if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) error_ = errno;
  size_ += text.size();
  hash_.add(text);
}

bool Growing::flush() {
  if (error_ == 0 && std::fflush(file_.get()) != 0) error_ = errno;
  if (error_ == 0) ::fsync(::fileno(file_.get()));
  errno = error_;
  return error_ == 0;
}

bool is_whole_checkpoint(std::string const& text) {
  auto const end = text.rfind("end ");
  return end != std::string::npos &&
         text.substr(end) == "end " + Hash().add(std::string_view(text).substr(0, end)).text() + "\n";
}

std::optional<std::string> state_in_checkpoint(std::string const& text) {
  auto const state = text.find("\nstate\n"), end = text.rfind("end ");
  if (!is_whole_checkpoint(text) || state == std::string::npos || end <= state + 7) return std::nullopt;
  return text.substr(state + 7, end - state - 7);
}

std::optional<FileFault> RunFiles::open(fs::path const& folder, Simulation const& simulation,
                                        std::vector<std::string> columns, std::vector<FileMark> const& marks,
                                        std::vector<Picture> const& pictures_so_far) {
  folder_ = folder;
  pictures = pictures_so_far;
  for (auto const& column : columns) observed_.push_back(*find_observable(simulation, column));
  if (auto wrong = make_folder(folder / "vtk", Links::replaced)) return FileFault{*wrong};
  sweep_drafts(folder);
  sweep_drafts(folder / "vtk");
  struct Named {
    Growing& file;
    std::string_view name;
  };
  std::size_t k = 0;
  for (auto const& each : {Named{observables_, "observables.csv"}, Named{trajectory_, "trajectory.dump"},
                           Named{contacts_, "contacts.csv"}}) {
    if (auto wrong = each.file.open(folder / each.name, marks.empty() ? FileMark{} : marks[k++])) return wrong;
  }
  for (auto const& picture : pictures) {
    auto const bodies = picture_path(folder, "bodies", picture.step),
               contacts = picture_path(folder, "contacts", picture.step);
    auto const one = read_whole(bodies), two = read_whole(contacts);
    if (!one || !two || Hash().add(*one).add(*two).text() != picture.hash) return changed(bodies);
  }
  if (!simulation.boundary.empty()) {
    auto wrong = write_whole(folder / "boundary.msh", mesh_text(simulation.boundary), Links::replaced);
    if (!wrong)
      wrong = write_whole(folder / "vtk" / "boundary.vtp", boundary_picture(simulation.boundary), Links::replaced);
    if (wrong) return FileFault{*wrong};
  }
  if (!marks.empty()) return std::nullopt;
  std::string head = "step";
  for (auto const& column : columns) head += "," + column;
  observables_.write(head + "\n");
  contacts_.write("step,time,body1,body2,shape1,shape2,uN,nx,ny,nz,x,y,z,fx,fy,fz,stored,status\n");
  return std::nullopt;
}

void RunFiles::write_observables(Shown const& shown) {
  std::string line = std::to_string(shown.step);
  for (auto const& each : observed_) line += "," + value_of(shown, each).digits;
  observables_.write(line + "\n");
}

void RunFiles::write_trajectory(Simulation const& simulation, Shown const& shown) {
  std::size_t count = 0;
  Vector3<double> low(0, 0, 0), high(0, 0, 0);
  bool first = true;
  for (auto const& shape : simulation.shapes) {
    if (is_boundary(shape.form)) continue;
    auto const& of = shown.bodies[shape.body];
    Matrix3<double> const R = rotation(of.orientation);
    Vector3<double> const at = values(of.position) + R * shape.centre,
                          reach = (R * shape.half).cwiseAbs() + Vector3<double>::Constant(shape.radius);
    low = first ? Vector3<double>(at - reach) : Vector3<double>(low.cwiseMin(at - reach));
    high = first ? Vector3<double>(at + reach) : Vector3<double>(high.cwiseMax(at + reach));
    first = false;
  }
  for (auto const& body : simulation.bodies) count += is_boundary(body.form) ? 0 : 1;
  std::string text =
      fmt::format("ITEM: TIME\n{}\nITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS ff ff ff\n",
                  shown.all.time.digits, shown.step, count);
  for (Index k = 0; k < 3; ++k) text += fmt::format("{} {}\n", low[k], high[k]);
  text +=
      "ITEM: ATOMS id type x y z c_quat[1] c_quat[2] c_quat[3] c_quat[4] vx vy vz omegax omegay omegaz radius shaft\n";
  std::size_t next = 0;  // shapes are in the order of their bodies
  for (std::size_t b = 0; b < simulation.bodies.size(); ++b) {
    auto const form = simulation.bodies[b].form;
    if (is_boundary(form)) continue;
    auto const& of = shown.bodies[b];
    double radius = 0, shaft = 0;
    while (next < simulation.shapes.size() && simulation.shapes[next].body < b) ++next;
    if (form != Form::clump && next < simulation.shapes.size() && simulation.shapes[next].body == b) {
      radius = simulation.shapes[next].radius;
      shaft = 2 * simulation.shapes[next].half.norm();
    }
    // the order of components in OVITO: x, y, z, w
    std::string line = fmt::format("{} {}", b + 1, static_cast<int>(form) + 1);
    append_texts(line, of.position, ' ');
    for (Index const k : {1, 2, 3, 0}) line += " " + of.orientation[k].digits;
    append_texts(line, of.velocity, ' ');
    append_texts(line, of.spin, ' ');
    text += fmt::format("{} {} {}\n", line, radius, shaft);
  }
  trajectory_.write(text);
}

void RunFiles::write_contacts(Simulation const& simulation, Shown const& shown) {
  std::string text;
  static constexpr auto statuses = labels(contact_force::Status{});
  for (auto const& contact : shown.contacts) {
    if (simulation.dynamics == simulator::Dynamics::nonsmooth && !acts(contact)) continue;
    text += fmt::format("{},{},{},{},{},{},{}", shown.step, shown.all.time.digits,
                        simulation.bodies[simulation.shapes[contact.shape1].body].name,
                        simulation.bodies[simulation.shapes[contact.shape2].body].name, contact.shape1, contact.shape2,
                        contact.uN.digits);
    append_texts(text, contact.normal, ',');
    append_texts(text, contact.point, ',');
    append_texts(text, contact.force, ',');
    text += fmt::format(",{},{}\n", contact.stored.digits, statuses[static_cast<std::size_t>(contact.status)]);
  }
  contacts_.write(text);
}

void RunFiles::write_picture(Simulation const& simulation, Shown const& shown) {
  Hash hash;
  auto const write = [&](std::string_view what, std::string const& text) {
    hash.add(text);
    auto wrong = write_whole(picture_path(folder_, what, shown.step), text, Links::replaced);
    if (wrong && !wrong_) wrong_ = wrong;
  };
  write("bodies", bodies_picture(simulation, shown));
  write("contacts", contacts_picture(simulation, shown));
  pictures.push_back({shown.step, shown.all.time.digits, hash.text()});
}

std::optional<std::string> RunFiles::settle() {
  if (wrong_) return wrong_;
  errno = 0;
  if (!observables_.flush()) return failure(folder_ / "observables.csv");
  if (!trajectory_.flush()) return failure(folder_ / "trajectory.dump");
  if (!contacts_.flush()) return failure(folder_ / "contacts.csv");
  for (std::string_view const what : {"bodies", "contacts"})
    if (auto wrong =
            write_whole(folder_ / "vtk" / fmt::format("{}.pvd", what), picture_index(what, pictures), Links::replaced))
      return wrong;
  return std::nullopt;
}

std::vector<FileMark> RunFiles::marks() const { return {observables_.mark(), trajectory_.mark(), contacts_.mark()}; }

}  // namespace demeter::simulations
